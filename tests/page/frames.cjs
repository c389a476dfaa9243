// SPDX-License-Identifier: MIT
// frames.cjs - node frames.cjs PAGE: ms that the script takes to draw a frame, of a quadruped and of a hundred bricks: the least of
// ten means of twenty. The graphics process draws meanwhile, in software where there is no card.
const path = require('path');
const { chromium } = require('playwright-core');

(async () => {
    const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--headless', '--no-sandbox', '--disable-gpu', '--enable-unsafe-swiftshader'] });
    const page = await browser.newPage({ viewport: { width: 1000, height: 640 } });
    await page.goto(`file://${path.resolve(process.argv[2])}`);
    await page.evaluate(() => window.tactus.ready);
    for (const [scene, steps] of [['stand', 300], ['wall', 100]]) {
        await page.evaluate(([scene, steps]) => { // frames are drawn by this script alone
            const { tactus } = window;
            window.requestAnimationFrame = () => 0;
            tactus.open({ scene });
            tactus.player.playing = false;
            tactus.player.step(steps);
        }, [scene, steps]);
        await page.waitForTimeout(500);
        const draw = () => page.evaluate(() => {
            const { tactus } = window, end = tactus.player.lead.last, begun = performance.now();
            for (let i = 0; i < 20; i++) {
                tactus.player.scrub((end - i) * tactus.player.lead.h);
                tactus.drawAll();
            }
            return (performance.now() - begun) / 20;
        });
        let least = Infinity;
        for (let again = 0; again < 10; again++) least = Math.min(least, await draw());
        console.log(scene, least.toFixed(2));
    }
    await browser.close();
})();
