// SPDX-License-Identifier: MIT
// kernel.js - the kernel as WebAssembly, which the page holds as gzip in base64, in either precision.
export function bytesOf(base64) {
    return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
}

async function inflate(bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Response(stream).arrayBuffer();
}

export class Kernel {
    static async load(bits) {
        const packed = document.getElementById(`kernel-${bits}`).textContent.trim();
        const module = await WebAssembly.compile(await inflate(bytesOf(packed)));
        return new Kernel(await WebAssembly.instantiate(module));
    }

    constructor(instance) {
        this.c = instance.exports;
        this.room = this.c.page_room();
        this.bits = this.c.page_bits();
        if (this.c.page_promise() !== 0) throw new Error('the arithmetic of this browser breaks a promise of the kernel');
        this.scenes = Array.from({ length: this.c.page_scenes() }, (_, i) => ({
            name: this.text(this.c.page_scene_name(i)),
            about: this.text(this.c.page_scene_about(i)),
        }));
    }

    text(at) {
        const bytes = new Uint8Array(this.c.memory.buffer, at);
        return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
    }

    // Views of the exchange area, until the next call.
    bytes(count) {
        return new Uint8Array(this.c.memory.buffer, this.room, count);
    }

    floats(count) {
        return new Float32Array(this.c.memory.buffer, this.room, count);
    }

    numbers(count) {
        return new Float64Array(this.c.memory.buffer, this.room, count);
    }

    // Flags of a step that was taken, or why it was refused.
    verdict(status) {
        if (status <= 0) return this.text(this.c.page_status_name(status));
        const flags = [1, 2, 4, 8, 16].filter((flag) => status & flag);
        return flags.map((flag) => this.text(this.c.page_status_name(flag))).join(', ');
    }
}
