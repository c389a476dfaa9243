// SPDX-License-Identifier: MIT
// frames.cjs - node frames.cjs PAGE: CPU time of the main thread that the script takes to draw a frame, of a quadruped and of a hundred bricks.
const path = require('path');
const { chromium } = require('playwright-core');

(async () => {
    const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--headless', '--no-sandbox', '--disable-gpu', '--enable-unsafe-swiftshader'] });
    const page = await browser.newPage({ viewport: { width: 1000, height: 640 } });
    await page.goto(`file://${path.resolve(process.argv[2])}`);
    await page.evaluate(() => window.tactus.ready);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const script = async () => (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'ScriptDuration').value;
    for (const [scene, steps] of [['stand', 300], ['wall', 100]]) {
        await page.evaluate(([scene, steps]) => { // frames are drawn by this script alone
            const { tactus } = window;
            window.requestAnimationFrame = () => 0;
            tactus.open({ scene });
            tactus.player.playing = false;
            tactus.player.step(steps);
        }, [scene, steps]);
        await page.waitForTimeout(500);
        const draw = (frames) => page.evaluate((frames) => {
            const { tactus } = window, end = tactus.player.lead.last;
            for (let i = 0; i < frames; i++) {
                tactus.player.scrub((end - (i % 20)) * tactus.player.lead.h);
                tactus.drawAll();
            }
        }, frames);
        await draw(20);
        let least = Infinity;
        for (let again = 0; again < 3; again++) {
            const before = await script();
            await draw(20);
            least = Math.min(least, (1000 * (await script() - before)) / 20);
        }
        console.log(scene, least.toFixed(2));
    }
    await browser.close();
})();
