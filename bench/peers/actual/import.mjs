// Actual's API package without a server: node import.mjs FILE FOLDER

import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

// The package is installed beside the books, not beside this file.
const require = createRequire(join(process.env.PEER_MODULES, "package.json"));
const api = require("@actual-app/api");
const [file, folder] = process.argv.slice(2);

/** Records of a CSV as RFC 4180 has it. */
function records(text) {
  const found = [];
  let record = [];
  let cell = "";
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const c = text[at];
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[at + 1] === '"') cell += text[(at += 1)];
      else quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === "," || c === "\n") {
      record.push(cell);
      cell = "";
      if (c === "\n") {
        found.push(record);
        record = [];
      }
    } else cell += c;
  }
  return found;
}

const rows = records(readFileSync(file, "utf8")).slice(1);
const of = (column) => [...new Set(rows.map((row) => row[column]).filter((text) => text !== ""))];
const books = join(folder, "actual");
mkdirSync(books, { recursive: true });

// What the package tells about itself is no part of the result.
const say = console.log;
console.log = console.info = console.warn = () => {};
await api.init({ dataDir: books });
const existing = await api.getBudgets();
if (existing.length === 0) {
  await api.runImport("bench", async () => {
    for (const name of of(6)) await api.createAccount({ name }, 0);
    const group = await api.createCategoryGroup({ name: "Imported" });
    for (const name of of(3)) await api.createCategory({ name, group_id: group });
  });
} else {
  await api.loadBudget(existing[0].id);
}
const byName = (list) => new Map(list.map((one) => [one.name, one.id]));
const accounts = byName(await api.getAccounts());
const categories = byName(await api.getCategories());
const transactions = new Map([...accounts.values()].map((id) => [id, []]));
for (const [date, amount, name, category, tags, notes, account] of rows) {
  const words = tags === "" ? [] : tags.split(",").map((tag) => `#${tag}`);
  transactions.get(accounts.get(account)).push({
    date,
    // Two decimals always: without the point these are cents.
    amount: Number(amount.replace(".", "")),
    payee_name: name,
    category: categories.get(category),
    notes: [notes, ...words].filter((text) => text !== "").join(" "),
  });
}
for (const [account, list] of transactions) {
  const result = await api.importTransactions(account, list);
  if (result.errors?.length > 0) throw new Error(JSON.stringify(result.errors[0]));
}
const counted = await api.aqlQuery(api.q("transactions").calculate({ $count: "*" }));
await api.shutdown();
say(`count ${counted.data}`);
process.exit(existsSync(books) ? 0 : 1);
