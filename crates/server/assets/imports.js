// What the pages of imports do beyond HTML. Each works without it, only less comfortably.
"use strict";

// A file is dropped, or chosen: it is sent at once. Several are sent one after the other, each as a
// form of its own, and then their page shows what they come to.
const drop = document.getElementById("drop");
if (drop) {
  const filesMax = 50;
  const field = document.getElementById("file");
  const form = document.getElementById("upload");
  const button = document.getElementById("send");
  const list = document.getElementById("files");
  const title = drop.querySelector("strong");
  const hint = drop.querySelector(".hint");
  title.textContent = "Drop files here";
  const words = [title.textContent, hint.textContent];
  field.multiple = true;
  // What a file became: the id of its import, or why it was refused.
  const sendOne = async (file) => {
    const fields = new FormData(form);
    fields.delete("file");
    fields.append("file", file);
    const answer = await fetch(form.action, { method: "POST", body: fields });
    const id = new URL(answer.url).pathname.match(/^\/imports\/([0-9a-f-]{36})(\/|$)/)?.[1];
    if (answer.redirected && id) return { id };
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const problems = [...page.querySelectorAll(".problems p")].map((one) => one.textContent);
    return { problem: problems.join(" ") || "It could not be sent." };
  };
  const sendAll = async (files) => {
    title.textContent = `${files.length} files`;
    drop.classList.add("sent");
    button.disabled = true;
    const [ids, refused] = [[], []];
    for (const file of files) {
      hint.textContent = `Sending ${file.name}…`;
      const { id, problem } = await sendOne(file).catch(() => ({ problem: "It could not be sent." }));
      if (id) ids.push(id);
      else refused.push(`${file.name}: ${problem}`);
    }
    const summary = `/imports/several?ids=${ids.join(",")}`;
    if (!refused.length) {
      location.assign(summary);
      return;
    }
    list.replaceChildren(...refused.map((text) => {
      const line = document.createElement("p");
      line.textContent = text;
      return line;
    }));
    if (ids.length) {
      const [line, link] = [document.createElement("p"), document.createElement("a")];
      link.href = summary;
      link.textContent = ids.length === 1 ? "Look at the other file" : `Look at the other ${ids.length} files`;
      line.append(link);
      list.append(line);
    }
    list.hidden = false;
    reset();
  };
  const reset = () => {
    field.value = "";
    [title.textContent, hint.textContent] = words;
    drop.classList.remove("sent");
    button.disabled = false;
  };
  const send = () => {
    if (!field.files.length) return;
    if (field.files.length > filesMax) {
      field.value = "";
      hint.textContent = `At most ${filesMax} files at once: nothing was sent.`;
      return;
    }
    if (field.files.length > 1) {
      sendAll([...field.files]);
      return;
    }
    title.textContent = field.files[0].name;
    hint.textContent = "Sending…";
    drop.classList.add("sent");
    form.requestSubmit();
    button.disabled = true;
  };
  for (const name of ["dragenter", "dragover"]) {
    drop.addEventListener(name, (event) => {
      event.preventDefault();
      drop.classList.add("over");
    });
  }
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    field.files = event.dataTransfer.files;
    send();
  });
  field.addEventListener("change", send);
  // Who comes back may want to send the same file again: then it must be chosen anew.
  addEventListener("pageshow", (event) => {
    const [visit] = performance.getEntriesByType("navigation");
    if (event.persisted || visit?.type === "back_forward") reset();
  });
}

// <form data-live>: sends itself on every change, and puts what comes back in its place. Changes
// are sent one after the other, so that the last answer is the last word. What was typed while an
// answer was on its way stays.
const live = document.querySelector("form[data-live]");
if (live) {
  const parts = ["heading", "next-step", "said", "preview", "choices", "standing"];
  let sending = Promise.resolve();
  let waiting = 0;
  let lastSent = new Map();
  // While parts are replaced, browsers say that their fields were left or changed.
  let isPutting = false;

  const enhance = () => {
    document.getElementById("update").hidden = true;
    for (const pick of live.querySelectorAll("[name=name_pick]")) {
      const creates = pick.value === "create" || pick.value === "per_currency";
      pick.parentElement.querySelector("[name=name_new]").hidden = !creates;
    }
    const name = document.getElementById("account_new");
    if (name) name.hidden = document.getElementById("account_id").value !== "create";
  };
  const values = () => {
    const fields = live.querySelectorAll("input[id], select[id]");
    return new Map([...fields].map((field) => [field.id, field.value]));
  };
  const keep = (id, value) => {
    const field = document.getElementById(id);
    if (field.options && ![...field.options].some((one) => one.value === value)) return;
    field.value = value;
    // What a script has put into a field is no change to the browser when the field is left.
    field.addEventListener("blur", () => {
      if (!isPutting && field.value !== lastSent.get(id)) change();
    });
  };
  const put = (page, sent) => {
    const focused = document.activeElement;
    const { id, selectionStart, selectionEnd } = focused;
    const open = [...live.querySelectorAll("details[open]")].map((one) => one.id);
    const now = values();
    isPutting = true;
    for (const part of parts) {
      document.getElementById(part).replaceChildren(...page.getElementById(part).childNodes);
    }
    isPutting = false;
    for (const one of open) document.getElementById(one)?.setAttribute("open", "");
    for (const [field, value] of now) {
      if (value !== sent.get(field) && document.getElementById(field)) keep(field, value);
    }
    enhance();
    if (!id || focused.isConnected) return;
    const field = document.getElementById(id);
    field?.focus();
    if (field?.matches("input")) field.setSelectionRange(selectionStart, selectionEnd);
  };
  const update = async (fields, sent) => {
    const answer = await fetch(live.action, { method: "POST", body: fields });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    waiting -= 1;
    // Another change is under way: its answer has this one in it.
    if (waiting > 0) return;
    if (answer.redirected || !page.getElementById("preview")) location.replace(live.action);
    else put(page, sent);
    live.removeAttribute("aria-busy");
  };
  const change = () => {
    waiting += 1;
    live.setAttribute("aria-busy", "true");
    const fields = new URLSearchParams(new FormData(live));
    const sent = values();
    lastSent = sent;
    const failed = () => location.replace(live.action);
    sending = sending.then(() => update(fields, sent)).catch(failed);
  };
  enhance();
  live.addEventListener("change", (event) => {
    if (isPutting) return;
    enhance();
    const name = document.getElementById("account_new");
    if (event.target.id === "account_id" && name && !name.hidden) {
      // There is nothing to send before the account has a name.
      name.focus();
      return;
    }
    change();
  });
  // What is being sent comes first.
  live.addEventListener("submit", (event) => {
    if (waiting === 0) return;
    event.preventDefault();
    const { submitter } = event;
    sending.then(() => live.requestSubmit(submitter?.isConnected ? submitter : null));
  });
}

// <… data-events="address" data-end="address">: the progress of what runs; at its end the page shows
// what came of it, at another address if there is one.
const running = document.querySelector("[data-events]");
if (running) {
  const bar = running.querySelector("progress");
  const text = document.getElementById("progress");
  const number = new Intl.NumberFormat("en");
  const events = new EventSource(running.dataset.events);
  const show = (event) => {
    const state = JSON.parse(event.data);
    bar.max = Math.max(state.rows_total, 1);
    bar.value = state.rows_done;
    text.textContent = `${number.format(state.rows_done)} of ${number.format(state.rows_total)}`;
  };
  events.addEventListener("progress", show);
  const showResult = () => {
    if (running.dataset.end) {
      location.replace(running.dataset.end);
      return;
    }
    // What came of it gets the focus.
    location.hash = "created";
    location.reload();
  };
  events.addEventListener("done", () => {
    events.close();
    showResult();
  });
  // The browser comes back by itself, unless it was refused.
  events.addEventListener("error", () => {
    if (events.readyState === EventSource.CLOSED) setTimeout(showResult, 2000);
  });
  addEventListener("pagehide", () => events.close());
}

// A publish that was watched is at its end. A reload does not do this by itself.
if (location.hash === "#created") document.getElementById("created")?.focus();

// <… data-reload="address">: something is on its way. Never a plain reload: what is shown can be
// the answer to a form, which would be sent again.
const reload = document.querySelector("[data-reload]");
if (reload) setTimeout(() => location.replace(reload.dataset.reload), 1000);
