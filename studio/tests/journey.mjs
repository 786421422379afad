// Can somebody go from a table to a release, by mouse and by keyboard, and is that release the command line's?

import { readFileSync } from 'node:fs';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { browser as launch, check, folder, page as visit, root, shoal, start } from './visit.mjs';

const rooms = ['table', 'hierarchies', 'promise', 'explore', 'after', 'publish'];
const titles = { table: 'Table', hierarchies: 'Hierarchies', promise: 'Promise', explore: 'Explore', after: 'Before and after', publish: 'Publish' };

async function violations(page) {
  await page.evaluate(axe.source);
  const found = await page.evaluate(() => window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }));
  return found.violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 140)} ${node.failureSummary?.split('\n')[1] ?? ''}`).join(' | ')}`);
}

/// In every room, in both colours.
async function axeEverywhere(page) {
  for (const theme of ['light', 'dark']) {
    await page.evaluate((theme) => (document.documentElement.dataset.theme = theme), theme);
    for (const room of rooms) {
      await page.getByRole('button', { name: new RegExp(`^(\\d )?${titles[room]}`) }).first().click();
      await page.waitForTimeout(250);
      const found = await violations(page);
      check(found.length === 0, `${room} in ${theme}:\n  ${found.join('\n  ')}`);
    }
  }
  await page.evaluate(() => (document.documentElement.dataset.theme = 'light'));
}

function sameAsTheCommandLine(path, policy, release) {
  shoal(['anonymize', policy, '--output', 'again.csv', '--quiet'], { cwd: path });
  const [one, other] = [release, 'again.csv'].map((name) => readFileSync(join(path, name)));
  check(one.equals(other), `${release} is not what shoal anonymize ${policy} writes`);
}

async function byMouse(browser, path, table) {
  const studio = await start(path, [table]);
  const page = await visit(browser);
  try {
    const begin = Date.now();
    await page.goto(studio.address);
    check(!page.url().includes('token'), 'the token stays in the address');
    await page.getByRole('heading', { name: 'What is each column to an attacker?' }).waitFor();
    console.log(`  first room after ${Date.now() - begin} ms`);
    const stem = table.split('.')[0];

    await page.getByRole('button', { name: /^Promise/ }).click();
    await page.getByRole('button', { name: 'k = 11' }).click();
    await page.getByRole('button', { name: 'k = 11', pressed: true }).waitFor();
    await page.getByText(/the table as it is reaches/).first().waitFor();
    check(readFileSync(join(path, `${stem}.policy.toml`), 'utf8').includes('k = 11'), 'the policy on disk has no k = 11');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'k = 11', pressed: false }).waitFor();
    await page.getByRole('button', { name: 'Redo' }).click();
    await page.getByRole('button', { name: 'k = 11', pressed: true }).waitFor();

    await page.getByRole('button', { name: /^Explore/ }).click();
    await page.getByRole('button', { name: /^Search/ }).click();
    // Points may lie on one another, as those of a small table do.
    await page.getByRole('button', { name: /^k = 5: / }).dispatchEvent('click');
    await page.getByRole('button', { name: 'Take this one' }).click();
    await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('k = 5'));

    await page.getByRole('button', { name: /^Before and after/ }).click();
    await page.getByRole('button', { name: 'Find the release' }).click();
    await page.getByText('Every promise would be kept').waitFor();
    await page.getByRole('button', { name: 'Publish…' }).click();
    await page.getByRole('button', { name: 'Publish', exact: true }).last().click();
    await page.getByText('Published and verified').waitFor();
    sameAsTheCommandLine(path, `${stem}.policy.toml`, `${stem}.release.csv`);
    await axeEverywhere(page);
    check(page.complaints.length === 0, page.complaints.join('\n'));

    // Killed in the middle, and started again: the policy is as it was left.
    const text = readFileSync(join(path, `${stem}.policy.toml`), 'utf8');
    await studio.stop('SIGKILL');
    const again = await start(path, [`${stem}.policy.toml`]);
    await page.goto(again.address);
    await page.waitForFunction((text) => document.querySelector('textarea')?.value === text, text);
    await again.stop();
  } finally {
    await page.context().close();
    await studio.stop();
  }
}

async function byKeyboard(browser, path, table) {
  const studio = await start(path, [table]);
  const page = await visit(browser);
  const stem = table.split('.')[0];
  const policy = () => readFileSync(join(path, `${stem}.policy.toml`), 'utf8');
  /// Goes on with the tab key until something has the focus.
  async function tabTo(matches, what) {
    for (let step = 0; step < 200; step++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(matches)) return;
    }
    throw new Error(`the tab key never reaches ${what}`);
  }
  try {
    await page.goto(studio.address);
    await page.getByRole('heading', { name: 'What is each column to an attacker?' }).waitFor();
    await page.keyboard.press('3');
    await page.getByRole('heading', { name: 'Promise', exact: true }).waitFor();
    await tabTo(() => document.activeElement?.textContent?.startsWith('k = 15'), 'a preset');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('k = 15'));
    await page.keyboard.press('Control+z');
    await page.waitForFunction(() => !document.querySelector('textarea')?.value.includes('k = 15'));
    check(!policy().includes('k = 15'), 'undo did not reach the file');
    await page.keyboard.press('Control+Shift+z');
    await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('k = 15'));
    await page.keyboard.press('5');
    await tabTo(() => document.activeElement?.textContent?.trim() === 'Find the release', 'the button that finds the release');
    await page.keyboard.press('Enter');
    await page.getByText('Every promise would be kept').waitFor();
    await page.keyboard.press('6');
    await page.getByRole('heading', { name: 'What is written' }).waitFor();
    await tabTo(() => document.activeElement?.matches('main button') && document.activeElement.textContent.trim() === 'Publish', 'the button that publishes');
    await page.keyboard.press('Enter');
    await page.getByText('Published and verified').waitFor();
    sameAsTheCommandLine(path, `${stem}.policy.toml`, `${stem}.release.csv`);
    check(page.complaints.length === 0, page.complaints.join('\n'));
  } finally {
    await page.context().close();
    await studio.stop();
  }
}

const browser = await launch();
const place = folder();
try {
  cpSync(join(root, 'examples/inpatients/inpatients.csv'), join(place.path, 'inpatients.csv'));
  const rows = process.env.STUDIO_ROWS ?? '5000';
  shoal(['generate', 'census', '--rows', rows, '--output', 'census.csv'], { cwd: place.path });
  console.log('by mouse, the inpatients');
  await byMouse(browser, place.path, 'inpatients.csv');
  console.log(`by keyboard, the census of ${rows} rows`);
  await byKeyboard(browser, place.path, 'census.csv');
  console.log('the studio does what the command line does');
} finally {
  await browser.close();
  place.remove();
}
