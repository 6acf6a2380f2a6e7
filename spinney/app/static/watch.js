// Opening a file with stored games.
import { the } from "/static/link.js";
import { times } from "/static/kept.js";

function say(text) {
  the.problem.hidden = !text;
  the.problem.textContent = text;
}

/** Send a file; the page that shows it is opened. */
function send(file) {
  say("");
  if (file.size > Number(the.file.dataset.largest)) return say(`${file.name} is too large: at most ${Math.floor(the.file.dataset.largest / 1048576)} MB are allowed.`);
  const asked = new XMLHttpRequest();  // it tells how much is sent
  asked.open("POST", `/api/upload?name=${encodeURIComponent(file.name)}`);
  asked.responseType = "json";
  asked.upload.onprogress = event => { the.sent.value = event.loaded / event.total; };
  asked.onload = () => {
    the.sent.hidden = true;
    const { where, error } = asked.response || {};
    if (where) location.href = where;
    else say(error || `the server answers ${asked.status}`);
  };
  asked.onerror = () => {
    the.sent.hidden = true;
    say("The file was not sent; the server may have been stopped.");
  };
  the.sent.value = 0;
  the.sent.hidden = false;
  asked.send(file);
}

the.file.onchange = () => { if (the.file.files.length) send(the.file.files[0]); };
the.drop.ondragover = event => {
  event.preventDefault();
  the.drop.classList.add("over");
};
the.drop.ondragleave = () => the.drop.classList.remove("over");
the.drop.ondrop = event => {
  event.preventDefault();
  the.drop.classList.remove("over");
  if (event.dataTransfer.files.length) send(event.dataTransfer.files[0]);
};
times();
