// What pages do beyond HTML. Each works without it, only less comfortably.
"use strict";

// The sentence of what was done is said once, not again after a reload.
const address = new URL(location.href);
if (address.searchParams.has("done")) {
  address.searchParams.delete("done");
  history.replaceState(null, "", address);
}

// <button data-copy="id">: puts the text of an element on the clipboard.
for (const button of document.querySelectorAll("[data-copy]")) {
  const source = document.getElementById(button.dataset.copy);
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(source.textContent);
    } catch {
      // Without https there is no clipboard: select the text for the keyboard.
      getSelection().selectAllChildren(source);
      document.execCommand("copy");
    }
    button.textContent = "Copied";
  });
}

// <form data-confirm="…">: asks before it sends.
for (const form of document.querySelectorAll("form[data-confirm]")) {
  form.addEventListener("submit", (event) => {
    if (!confirm(form.dataset.confirm)) event.preventDefault();
  });
}

// A form is sent once: the second click of two does nothing while the answer is on its way.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post") return;
  if (form.dataset.sent) return event.preventDefault();
  form.dataset.sent = "yes";
  setTimeout(() => delete form.dataset.sent, 5000);
});
// Whoever comes back, or gave up waiting, may send it again.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

// <form data-filter>: sends itself when a choice changes, without fields that say nothing.
for (const form of document.querySelectorAll("form[data-filter]")) {
  form.addEventListener("change", (event) => {
    if (event.target.matches("select, input[type=date]")) form.requestSubmit();
  });
  form.addEventListener("formdata", (event) => {
    for (const [name, value] of [...event.formData]) {
      if (value === "") event.formData.delete(name);
    }
  });
}

// <div data-means="id">: ticking a box in it chooses what the boxes belong to.
for (const part of document.querySelectorAll("[data-means]")) {
  part.addEventListener("change", (event) => {
    if (event.target.checked) document.getElementById(part.dataset.means).checked = true;
  });
}

// <… id="…" data-refresh="address">: something is under way. That part of the page is loaded again
// every second; at its end the whole page is.
const underWay = document.querySelector("[data-refresh]");
if (underWay) {
  const again = async () => {
    const answer = await fetch(underWay.dataset.refresh);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const part = answer.redirected ? null : page.getElementById(underWay.id);
    if (!part?.dataset.refresh) return location.replace(underWay.dataset.refresh);
    // What hasn't changed is not read out again.
    if (part.innerHTML !== underWay.innerHTML) underWay.replaceChildren(...part.childNodes);
    setTimeout(look, 1000);
  };
  const look = () => again().catch(() => setTimeout(look, 5000));
  setTimeout(look, 1000);
}

// A sign-up starts in the browser's own time zone.
const zone = document.querySelector("input#time_zone");
const untouched = !document.querySelector("[aria-invalid], .problems");
if (zone && zone.value === "UTC" && location.pathname === "/welcome" && untouched) {
  zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}
