// Verifies the record that is dropped on the page. The files stay in the page.

/** Loads while the page is read already: what is dropped before that is not lost. */
const core = import("launchpad-desk/record");

/** How many trades are listed. */
const LISTED = 1_000;

const $ = (selector) => document.querySelector(selector);

/** Counts what was dropped: a verdict that is overtaken is not shown as that of the next. */
let turn = 0;

function fill(list, lines) {
  $(list).replaceChildren(...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
}

const count = (number, one, more) => `${number} ${number === 1 ? one : more}`;

function show(heading, { isGood, notes = [], problems = [], trades = [] }) {
  const verdict = $(".verdict");
  verdict.hidden = false;
  verdict.className = `verdict ${isGood ? "good" : "bad"}`;
  $(".verdict h2").textContent = heading;
  fill(".notes", notes);
  fill(".problems", problems);
  fill(".trades", trades);
  $(".of-problems").hidden = !problems.length;
  $(".of-trades").hidden = !trades.length;
}

async function verify(files) {
  const named = (file) => file.name.endsWith(".head");
  const [record, ...others] = files.filter((file) => !named(file));
  const headFile = files.find(named);
  const here = ++turn;
  // The verdict on what was dropped before.
  $(".verdict").hidden = true;
  if (!record) return show("Drop the record itself, too: a file such as desk.log.", { isGood: false });
  if (others.length) return show("Drop one record at a time.", { isGood: false });
  try {
    const { checkText, verifyRecord } = await core;
    const head = headFile ? await headFile.text() : null;
    if (here !== turn) return;
    const trades = [];
    const found = await verifyRecord(record, {
      head,
      onTrade: (trade) => void (trades.length < LISTED && trades.push(checkText(trade))),
    });
    if (here !== turn) return;
    const { verified, lines, problems, problemCount } = found;
    const size = `${count(lines, "line", "lines")}, ${count(found.trades, "trade", "trades")}`;
    const more = found.trades - trades.length;
    show(verified ? `Verified: ${size}.` : `Not verified: ${count(problemCount, "problem", "problems")} in ${size}.`, {
      isGood: verified,
      notes: [
        `The file is ${record.name}.`,
        ...(head === null
          ? ["Without its head, missing lines at the end are not found. Drop the file that ends with .head, too."]
          : []),
      ],
      problems: [
        ...problems.map(({ message, intentId }) => (intentId ? `${message} (${intentId})` : message)),
        ...(problemCount > problems.length ? [`… and ${problemCount - problems.length} more`] : []),
      ],
      trades: [...trades, ...(more > 0 ? [`… and ${more} more`] : [])],
    });
  } catch (error) {
    if (here === turn) show(`It cannot be verified: ${error.message}`, { isGood: false });
  }
}

const drop = $(".drop");
const input = $(".drop input");
input.addEventListener("change", () => void verify([...input.files]));
for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    drop.classList.toggle("over", kind === "dragover");
    if (kind === "drop") void verify([...event.dataTransfer.files]);
  });
}
