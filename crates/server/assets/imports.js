// What the pages of imports do beyond HTML. Each works without it, only less comfortably.
"use strict";

// A file is dropped, or chosen: it is sent at once.
const drop = document.getElementById("drop");
if (drop) {
  const field = document.getElementById("file");
  const form = document.getElementById("upload");
  const send = () => {
    if (!field.files.length) return;
    drop.querySelector("strong").textContent = field.files[0].name;
    drop.classList.add("sent");
    form.requestSubmit();
    document.getElementById("send").disabled = true;
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
}

// <form data-live>: sends itself on every change, and puts what comes back in its place. Changes
// are sent one after the other, so that the last answer is the last word.
const live = document.querySelector("form[data-live]");
if (live) {
  document.getElementById("update").hidden = true;
  const parts = ["said", "preview", "choices"];
  let sending = Promise.resolve();
  let waiting = 0;

  const showNewNames = () => {
    for (const pick of live.querySelectorAll("[name=name_pick]")) {
      const creates = pick.value === "create" || pick.value === "per_currency";
      pick.parentElement.querySelector("[name=name_new]").hidden = !creates;
    }
    const name = document.getElementById("account_new");
    if (name) name.hidden = document.getElementById("account_id").value !== "create";
  };
  const put = (page) => {
    const focused = document.activeElement?.id;
    const open = [...live.querySelectorAll("details[open]")].map((one) => one.id);
    for (const part of parts) {
      document.getElementById(part).replaceWith(page.getElementById(part));
    }
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    document.getElementById("update").hidden = true;
    showNewNames();
    if (focused) document.getElementById(focused)?.focus();
  };
  const update = async (fields) => {
    const answer = await fetch(live.action, { method: "POST", body: fields });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    waiting -= 1;
    // Another change is under way: its answer has this one in it.
    if (waiting > 0) return;
    if (answer.redirected || !page.getElementById("preview")) location.reload();
    else put(page);
    live.removeAttribute("aria-busy");
  };
  showNewNames();
  live.addEventListener("change", (event) => {
    showNewNames();
    const name = document.getElementById("account_new");
    if (event.target.id === "account_id" && name && !name.hidden) {
      // There is nothing to send before the account has a name.
      name.focus();
      return;
    }
    waiting += 1;
    live.setAttribute("aria-busy", "true");
    const fields = new URLSearchParams(new FormData(live));
    sending = sending.then(() => update(fields)).catch(() => location.reload());
  });
  // What is being sent comes first.
  live.addEventListener("submit", (event) => {
    if (waiting === 0) return;
    event.preventDefault();
    sending.then(() => live.requestSubmit(document.querySelector("#choices [name=next]")));
  });
}

// <… data-events="address">: the progress of what runs; at its end the page says what came of it.
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
  events.addEventListener("done", () => {
    events.close();
    location.reload();
  });
  // The browser comes back by itself, unless it was refused.
  events.addEventListener("error", () => {
    if (events.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 2000);
  });
  addEventListener("pagehide", () => events.close());
}

// <… data-reload="milliseconds">: something is on its way.
const reload = document.querySelector("[data-reload]");
if (reload) setTimeout(() => location.reload(), Number(reload.dataset.reload));
