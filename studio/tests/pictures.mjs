// What does every room look like, wide and narrow, light and dark?
//
// node tests/pictures.mjs FOLDER [TABLE]: of a made-up census, of `wide`, a table of 60 columns whose lattice has more than 10^6 nodes, or of one of your own.

import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { browser as launch, folder, page as visit, rooms, shoal, start } from './visit.mjs';

const [, , into = '/tmp/studio-pictures', table] = process.argv;

/// Sixty columns, twenty of them quasi-identifiers of two or three levels: 2^20 combinations and more.
function wide(path) {
  const names = Array.from({ length: 60 }, (_, place) => `column ${place}${place % 7 === 3 ? ' with a name that goes on for longer than there is room for' : ''}`);
  const lines = Array.from({ length: 500 }, (_, row) => names.map((_, place) => (place < 20 ? `${'abcd'[(row >> (place % 4)) % 4]}${(row * (place + 3)) % 2}` : (row * (place + 7)) % 11)).join(','));
  writeFileSync(path, `${names.join(',')}\n${lines.join('\n')}\n`);
  const columns = names.map((name, place) => `[columns."${name}"]\nrole = "${place < 20 ? 'quasi-identifier' : place === 20 ? 'sensitive' : 'insensitive'}"\n${place < 20 ? 'hierarchy = { mask = { from = "right" } }\n' : ''}`);
  writeFileSync(path.replace(/\.csv$/, '.policy.toml'), `[input]\npath = "wide.csv"\n\n${columns.join('\n')}\n[[require]]\nmodel = "k-anonymity"\nk = 5\n\n[method]\nbudget = "20s"\n`);
}

mkdirSync(into, { recursive: true });
const browser = await launch();
const place = folder();
const name = table === 'wide' ? 'wide.csv' : table ? basename(table) : 'census.csv';
if (table === 'wide') wide(join(place.path, name));
else if (table) cpSync(table, join(place.path, name));
else shoal(['generate', 'census', '--rows', '1000', '--output', name], { cwd: place.path });
const studio = await start(place.path, [name]);

/// As much as there is to show in each room.
async function fill(page) {
  page.setDefaultTimeout(600_000);
  await page.goto(studio.address);
  await page.getByRole('heading', { name: 'What is each column to an attacker?' }).waitFor();
  const state = await page.context().storageState();
  await page.keyboard.press('4');
  for (const button of [/^Search/, 'Find out', 'List them', 'Show it around the optimum']) {
    const one = page.getByRole('button', { name: button });
    if (!(await one.count())) continue;
    await one.click();
    await page.waitForFunction(() => ![...document.querySelectorAll('main button')].some((one) => one.textContent.trim() === 'Stop'));
  }
  await page.keyboard.press('5');
  await page.getByRole('button', { name: 'Find the release' }).click();
  await page.getByText(/Every promise would be kept|hint:|See what would help/).first().waitFor();
  await page.keyboard.press('6');
  await page.locator('main').getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText(/Published and verified/).waitFor({ timeout: 20000 }).catch(() => {});
  await page.context().close();
  return state;
}

try {
  const state = await fill(await visit(browser));
  for (const theme of ['light', 'dark']) {
    for (const width of [1280, 1600, 1920, 390]) {
      const height = width === 390 ? 844 : 900;
      const page = await visit(browser, { storageState: state, colorScheme: theme, viewport: { width, height } });
      await page.goto(studio.address);
      await page.getByRole('heading', { name: 'What is each column to an attacker?' }).waitFor();
      for (const room of rooms) {
        await page.evaluate((room) => (location.hash = room), room);
        await page.waitForTimeout(1200);
        // The whole room, not only what is in view.
        const tall = await page.evaluate(() => document.querySelector('main').scrollHeight + 140);
        await page.setViewportSize({ width, height: Math.min(3400, Math.max(height, tall)) });
        await page.waitForTimeout(150);
        await page.screenshot({ path: join(into, `${room}-${width}-${theme}.png`) });
        await page.setViewportSize({ width, height });
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
