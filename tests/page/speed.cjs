// SPDX-License-Identifier: MIT
// speed.cjs - node speed.cjs KERNEL SCENE STEPS...: CPU time of steps of the page's kernel, when its code has been optimised.
const fs = require('fs');

const [file, ...runs] = process.argv.slice(2);
const { exports: kernel } = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(file)));
const text = (at) => {
    const bytes = Buffer.from(kernel.memory.buffer, at, 100);
    return bytes.toString('utf8', 0, bytes.indexOf(0));
};
const scenes = Array.from({ length: kernel.page_scenes() }, (_, i) => text(kernel.page_scene_name(i)));
for (let i = 0; i < runs.length; i += 2) {
    let least = Infinity;
    kernel.page_open_scene(0, scenes.indexOf(runs[i]));
    kernel.page_configure(0, -1, -1, -1, 0);
    for (let again = 0; again < 25; again++) {
        kernel.page_reset(0);
        const before = process.threadCpuUsage ? process.threadCpuUsage() : process.cpuUsage();
        for (let k = 0; k < Number(runs[i + 1]); k++) kernel.page_step(0);
        const used = process.threadCpuUsage ? process.threadCpuUsage(before) : process.cpuUsage(before);
        least = Math.min(least, used.user + used.system);
    }
    console.log(runs[i], (least / Number(runs[i + 1])).toFixed(2));
}
