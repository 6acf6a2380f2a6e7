// Asking the server for something, and hearing from it.

/** Ask for a change or an answer; an error is thrown with the server's words. */
export async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
  };
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Error("the server does not answer; it may have been stopped");
  }
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(data.error || `the server answers ${answer.status}`);
  return data;
}

/** Hear messages for ever: a lost connection is made again. `gone` is called with a reason when it cannot be. */
export function listen(path, { message, lost, gone }) {
  let wait = 200;
  const connect = () => {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`);
    socket.onmessage = event => {
      wait = 200;
      message(JSON.parse(event.data));
    };
    socket.onclose = event => {
      if (event.code === 4404) return gone(event.reason);
      lost();
      setTimeout(connect, wait);
      wait = Math.min(2000, 2 * wait);
    };
  };
  connect();
}

/** An element with attributes and children. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element[name] = value;
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** All elements with a name, by it. */
export const the = Object.fromEntries([...document.querySelectorAll("[id]")].map(element => [element.id, element]));

/** Say what went wrong, for some seconds. */
let silence = 0;
export function notice(text) {
  the.notice.textContent = text;
  the.notice.hidden = false;
  clearTimeout(silence);
  silence = setTimeout(() => { the.notice.hidden = true; }, 6000);
}

/** A part of tabs is shown by its button. */
export function tabs(list) {
  const buttons = [...list.querySelectorAll("[role=tab]")];
  const show = chosen => buttons.forEach(button => {
    const on = button === chosen;
    button.setAttribute("aria-selected", on);
    button.tabIndex = on ? 0 : -1;
    document.getElementById(button.getAttribute("aria-controls")).hidden = !on;
  });
  buttons.forEach((button, i) => {
    button.onclick = () => show(button);
    button.onkeydown = event => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const other = buttons[(i + step + buttons.length) % buttons.length];
      event.stopPropagation();
      show(other);
      other.focus();
    };
  });
  return id => show(buttons.find(button => button.getAttribute("aria-controls") === id));
}
