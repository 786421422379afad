// What does every room look like, wide and narrow, light and dark?

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { browser as launch, folder, page as visit, shoal, start } from './visit.mjs';

const into = process.argv[2] ?? '/tmp/studio-pictures';
mkdirSync(into, { recursive: true });
const rooms = ['table', 'hierarchies', 'promise', 'explore', 'after', 'publish'];
const browser = await launch();
const place = folder();
shoal(['generate', 'census', '--rows', process.argv[3] ?? '3000', '--output', 'census.csv'], { cwd: place.path });
const studio = await start(place.path, ['census.csv']);
try {
  const page = await visit(browser);
  await page.goto(studio.address);
  await page.getByRole('heading', { name: 'What is each column to an attacker?' }).waitFor();
  const state = await page.context().storageState();
  await page.keyboard.press('4');
  await page.getByRole('button', { name: /^Search/ }).click();
  await page.getByRole('button', { name: 'Find out' }).click();
  await page.getByRole('button', { name: 'List them' }).click();
  await page.keyboard.press('5');
  await page.getByRole('button', { name: 'Find the release' }).click();
  await page.getByText('Every promise would be kept').waitFor();
  await page.keyboard.press('6');
  await page.getByRole('button', { name: 'Publish', exact: true }).last().click();
  await page.getByText('Published and verified').waitFor();
  await page.context().close();
  for (const theme of ['light', 'dark']) {
    for (const width of [1440, 390]) {
      const page = await visit(browser, { storageState: state, colorScheme: theme, viewport: { width, height: width === 390 ? 844 : 900 } });
      await page.goto(studio.address);
      for (const room of rooms) {
        await page.evaluate((room) => (location.hash = room), room);
        await page.waitForTimeout(900);
        // The whole room, not only what is in view.
        const tall = await page.evaluate(() => document.querySelector('main').scrollHeight + 140);
        await page.setViewportSize({ width, height: Math.min(2600, Math.max(width === 390 ? 844 : 900, tall)) });
        await page.waitForTimeout(150);
        await page.screenshot({ path: join(into, `${room}-${width}-${theme}.png`) });
        await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
      }
      if (page.complaints.length) console.log(page.complaints.join('\n'));
      await page.context().close();
    }
  }
} finally {
  await studio.stop();
  await browser.close();
  place.remove();
}
