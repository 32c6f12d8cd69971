// Reads the events of `go test -json` and prints what a reader wants: one line a
// package, the whole output of what failed, and every skipped test. Ends with 1
// if anything failed, was skipped, or was cut off.

import { createInterface } from "node:readline";

const outputs = new Map(); // package and test → lines
const failed = [];
const skipped = [];
const started = new Set();
let passed = 0;

const name = (e) => (e.Test ? `${e.Package} ${e.Test}` : e.Package ?? e.ImportPath ?? "");

function print(key) {
  process.stdout.write((outputs.get(key) ?? []).join(""));
}

function onEvent(e) {
  const key = name(e);
  switch (e.Action) {
    case "start":
      started.add(e.Package);
      break;
    case "output":
    case "build-output":
      if (!outputs.has(key)) outputs.set(key, []);
      outputs.get(key).push(e.Output);
      break;
    case "build-fail":
      console.log(`\nFAIL ${key}: does not build`);
      print(key);
      failed.push(key);
      break;
    case "pass":
    case "skip":
    case "fail":
      onEnd(e, key);
  }
}

function onEnd(e, key) {
  if (!e.Test) started.delete(e.Package);
  if (e.Action === "fail") {
    failed.push(key);
    console.log(`\nFAIL ${key}`);
    print(key);
  } else if (e.Test && e.Action === "skip") {
    skipped.push(key);
    console.log(`\nSKIP ${key}`);
    print(key);
  } else if (e.Test) {
    passed++;
  } else {
    console.log(`${e.Action === "skip" ? "--" : "ok"}   ${key} ${e.Elapsed ?? 0} s`);
  }
  outputs.delete(key);
}

for await (const line of createInterface({ input: process.stdin })) {
  let event;
  try {
    event = JSON.parse(line);
  } catch {
    console.log(line); // not go test's
    continue;
  }
  onEvent(event);
}

for (const p of started) failed.push(`${p} (did not end)`);
console.log(`\n${passed} passed, ${failed.length} failed, ${skipped.length} skipped`);
for (const f of failed) console.log(`  failed: ${f}`);
for (const s of skipped) console.log(`  skipped: ${s}`);
if (passed === 0) console.log("  no test passed: nothing was run");
process.exitCode = failed.length + skipped.length > 0 || passed === 0 ? 1 : 0;
