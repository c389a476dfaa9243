// SPDX-License-Identifier: MIT
// index.js - the kernel for node, browsers and bundlers: load(), then worlds of it.
import { Kernel } from './kernel.js';

export { World, METHODS, SOLVERS, LAWS, MODES, SWITCHES, KIND } from './world.js';
export { readModelFile, isModelFile } from './model_file.js';

async function read(url) {
    if (url.protocol !== 'file:') return (await fetch(url)).arrayBuffer();
    const { readFile } = await import('node:fs/promises');
    return readFile(url);
}

// bits: 64, or 32 for the numbers of most boards. Each kernel has two worlds: new World(kernel, 0) and 1.
export async function load(bits = 64) {
    if (bits !== 32 && bits !== 64) throw new Error(`${bits}: 32 or 64 bits`);
    const url = bits === 32 ? new URL('./kernel-32.wasm', import.meta.url) : new URL('./kernel-64.wasm', import.meta.url);
    return new Kernel(await WebAssembly.instantiate(await WebAssembly.compile(await read(url))));
}
