// SPDX-License-Identifier: MIT
// run.js - node run.js PROGRAM: runs a test program that is a WebAssembly module without imports; its exit code is that of main().
const fs = require('fs');

const instance = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(process.argv[2])));
const { main, memory, port_text } = instance.exports;
let code = 99;
try {
    code = main();
} catch (trap) {
    console.error(`# ${trap.message}`);
}
const bytes = new Uint8Array(memory.buffer, port_text());
process.stdout.write(Buffer.from(bytes.slice(0, bytes.indexOf(0))));
process.exitCode = code;
