// SPDX-License-Identifier: MIT
// bundle.cjs - node bundle.cjs FOLDER PAGE: one file of index.html, style.css, main.js with three.js, and the kernels of FOLDER.
const fs = require('fs');
const path = require('path');
const zlib = require('zlib');
const esbuild = require('esbuild');

const [folder, page] = process.argv.slice(2);
const read = (name) => fs.readFileSync(path.join(__dirname, name), 'utf8');
const kernel = (bits) => zlib.gzipSync(fs.readFileSync(path.join(folder, `kernel-${bits}.wasm`)), { level: 9 }).toString('base64');
const { outputFiles } = esbuild.buildSync({
    entryPoints: [path.join(__dirname, 'main.js')],
    bundle: true,
    minify: true,
    write: false,
    target: 'es2022',
    nodePaths: [process.env.NODE_PATH],
    logLevel: 'warning',
});
const parts = {
    '/* style.css */': read('style.css'),
    '/* kernel-32 */': kernel(32),
    '/* kernel-64 */': kernel(64),
    '/* script */': outputFiles[0].text.replaceAll('</script', '<\\/script'),
};
let html = read('index.html');
for (const [mark, text] of Object.entries(parts)) html = html.replace(mark, () => text);
fs.writeFileSync(page, html);
