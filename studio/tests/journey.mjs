// Can somebody go from a table to a release, by mouse and by keyboard, and is that release the command line's?
//
// STUDIO_LONG=1 goes both ways through both tables, the census with 100,000 rows.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { axeEverywhere, browser as launch, check, folder, go, page as visit, program, root, shoal, start } from './visit.mjs';

const isLong = !!process.env.STUDIO_LONG;
const rows = process.env.STUDIO_ROWS ?? (isLong ? '100000' : '10000');

function sameAsTheCommandLine(path, policy, release) {
  const again = `again-${release}`;
  shoal(['anonymize', policy, '--output', again, '--quiet'], { cwd: path });
  const [one, other] = [release, again].map((name) => readFileSync(join(path, name)));
  check(one.length > 0 && one.equals(other), `${release} is not what shoal anonymize ${policy} writes`);
}

/// What the page shows as the same without it, typed into a shell of another copy of the folder.
function shownCommand(place, path, line, release) {
  const copy = join(place.path, `shown-${release}-${Date.now()}`);
  const bin = `${copy}-bin`;
  cpSync(path, copy, { recursive: true });
  for (const file of [release, ...line.match(/\S+\.(html|json)/g) ?? []]) rmSync(join(copy, file), { force: true });
  mkdirSync(bin);
  symlinkSync(program, join(bin, 'shoal'));
  execFileSync('sh', ['-c', line], { cwd: copy, stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, PATH: `${bin}:${process.env.PATH}` } });
  for (const file of [release, ...line.match(/\S+\.json/g) ?? []]) {
    const [one, other] = [path, copy].map((folder) => readFileSync(join(folder, file)));
    check(one.length > 0 && (file !== release || one.equals(other)), `${line}: ${file} is another one than the studio's`);
  }
}

const arrives = (page) => page.getByRole('heading', { name: 'What is each column to an attacker?' }).waitFor();
const says = (page, text) => page.waitForFunction((text) => document.querySelector('textarea')?.value.includes(text), text);
const saysNot = (page, text) => page.waitForFunction((text) => !document.querySelector('textarea')?.value.includes(text), text);

/// Opens a table, asks for more than is proposed, takes what loses less, and publishes it.
async function byMouse(browser, { place, path, open, policy, release }) {
  const studio = await start(path, [open]);
  const page = await visit(browser);
  try {
    const begin = Date.now();
    await page.goto(studio.address);
    check(!page.url().includes('token'), 'the token stays in the address');
    await arrives(page);
    console.log(`  first room after ${Date.now() - begin} ms`);
    const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
    console.log(`  first paint after ${Math.round(paint)} ms`);
    check(!isLong || paint < 300, `the first paint came after ${paint} ms`);

    await page.getByRole('button', { name: /^Promise/ }).click();
    await page.getByRole('button', { name: 'k = 11' }).click();
    await page.getByRole('button', { name: 'k = 11', pressed: true }).waitFor();
    await page.getByText(/the table as it is reaches/).first().waitFor();
    check(readFileSync(join(path, policy), 'utf8').includes('k = 11'), 'the policy on disk has no k = 11');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'k = 11', pressed: false }).waitFor();
    await page.getByRole('button', { name: 'Redo' }).click();
    await page.getByRole('button', { name: 'k = 11', pressed: true }).waitFor();

    await page.getByRole('button', { name: /^Explore/ }).click();
    // The levels of all rows, of which there is a lattice, whatever was proposed.
    await page.getByRole('checkbox', { name: 'full-domain', exact: true }).check({ force: true });
    if (isLong) for (const k of ['15', '20', '50']) await page.getByRole('checkbox', { name: k, exact: true }).uncheck({ force: true });
    await page.getByRole('button', { name: /^Search/ }).click();
    // Points may lie on one another, as those of a small table do.
    await page.getByRole('button', { name: /(^|, )k = 5[:,]/ }).dispatchEvent('click');
    await page.getByRole('button', { name: 'Take this one' }).click();
    await says(page, 'k = 5');

    // The lattice around the optimum: a node that is not enough says why.
    await page.getByRole('button', { name: 'Show it around the optimum' }).click();
    await page.getByRole('button', { name: /levels .* the one that the policy takes/ }).waitFor();
    const failing = page.getByRole('button', { name: /levels .* not enough/ }).first();
    await failing.waitFor();
    await failing.dispatchEvent('click');
    await page.getByText(/would have to be left out, and the policy allows/).waitFor();

    await page.getByRole('button', { name: /^Before and after/ }).click();
    await page.getByRole('button', { name: 'Find the release' }).click();
    await page.getByText('Every promise would be kept').waitFor();
    await page.getByRole('button', { name: 'Keep to compare' }).click();
    await page.getByRole('button', { name: /^Promise/ }).click();
    await page.getByRole('button', { name: /^k = 11/ }).click();
    await says(page, 'k = 11');
    await page.getByRole('button', { name: /^Before and after/ }).click();
    await page.getByRole('button', { name: /^Find/ }).click();
    await page.getByRole('heading', { name: 'Beside the release that was kept' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await saysNot(page, 'k = 11');

    await page.getByRole('button', { name: /^Publish/ }).first().click();
    await page.getByText('shoal.Policy.load(').waitFor();
    await page.locator('main').getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Published and verified').waitFor();
    // What is only read aloud, as that a room is done, makes a narrow page no wider.
    await page.setViewportSize({ width: 390, height: 844 });
    const wide = await page.evaluate(() => [document.documentElement.scrollWidth, window.scrollX, document.documentElement.scrollLeft]);
    check(wide[0] <= 390 && wide[1] === 0 && wide[2] === 0, `a narrow page moves sideways: ${wide}`);
    await page.setViewportSize({ width: 1640, height: 900 });
    sameAsTheCommandLine(path, policy, release);
    shownCommand(place, path, await page.locator('pre.command').first().textContent(), release);
    await page.getByRole('button', { name: /^Before and after/ }).click();
    await page.getByRole('button', { name: /^Find/ }).click();
    await page.getByText('Every promise would be kept').waitFor();
    await axeEverywhere(page);
    check(page.complaints.length === 0, page.complaints.join('\n'));
  } finally {
    await page.context().close();
    await studio.stop();
  }
}

/// Whoever has never seen it begins with the proposal, leaves out a column that the page warns of and that another one nearly repeats, and publishes what keeps
/// the same promises with less of a loss.
async function lessLost(browser, { path, open, release }) {
  const studio = await start(path, [open]);
  const page = await visit(browser);
  const lost = async () => {
    await page.getByText('Every promise would be kept').waitFor();
    return Number(await page.locator('.facts strong').first().textContent());
  };
  const promises = async () => (await page.locator('.promises b').allTextContents()).join('; ');
  try {
    await page.goto(studio.address);
    await arrives(page);
    await page.getByText(/birth date.*Safe Harbor/).first().waitFor();
    await go(page, 'after');
    await page.getByRole('button', { name: 'Find the release' }).click();
    const proposed = { lost: await lost(), promises: await promises() };
    await page.getByRole('button', { name: 'Keep to compare' }).click();
    await go(page, 'table');
    await page.getByRole('group', { name: 'Role of birth date' }).getByRole('radio', { name: 'identifier', exact: true }).check({ force: true });
    await says(page, '[columns."birth date"]\nrole = "identifier"');
    await go(page, 'after');
    await page.getByRole('button', { name: 'Find it anew' }).click();
    const changed = { lost: await lost(), promises: await promises() };
    check(changed.promises === proposed.promises && proposed.promises, `promised: ${changed.promises}, before: ${proposed.promises}`);
    check(changed.lost < proposed.lost, `${changed.lost} is lost, and the proposal lost ${proposed.lost}`);
    await page.getByRole('heading', { name: 'Beside the release that was kept' }).waitFor();
    await go(page, 'publish');
    await page.getByText('shoal.Policy.load(').waitFor();
    await page.locator('main').getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Published and verified').waitFor();
    const said = await page.getByText(/left out, loss/).first().textContent();
    check(Number(/loss ([0-9.]+)/.exec(said)?.[1]) === changed.lost, `${release}: ${said}, and ${changed.lost} was said before`);
    check(page.complaints.length === 0, page.complaints.join('\n'));
  } finally {
    await page.context().close();
    await studio.stop();
  }
}

/// From the table to its release without a mouse: keys of the page, the tab key, Enter, arrows and what is typed into fields.
async function byKeyboard(browser, { path, open, policy, release }) {
  const studio = await start(path, [open]);
  const page = await visit(browser);
  const onDisk = () => readFileSync(join(path, policy), 'utf8');
  /// Goes on with the tab key until something has the focus.
  async function tabTo(matches, what) {
    for (let step = 0; step < 400; step++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(matches)) return;
    }
    throw new Error(`the tab key never reaches ${what}`);
  }
  async function throughTheLattice() {
    await tabTo(() => document.activeElement?.textContent?.trim() === 'Show it around the optimum', 'the lattice');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /levels \d/ }).first().waitFor();
    await page.getByRole('button', { name: 'Show it around the optimum', disabled: false }).waitFor();
    await tabTo(() => !!document.activeElement?.getAttribute('data-key'), 'a node of the lattice');
    const from = await page.evaluate(() => document.activeElement.getAttribute('data-key'));
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const to = await page.evaluate(() => document.activeElement.getAttribute('data-key'));
    check(to && to !== from, 'arrows do not lead through the lattice');
  }
  try {
    await page.goto(studio.address);
    await arrives(page);
    // A role by its letter, and back.
    const begun = onDisk();
    await tabTo(() => document.activeElement?.matches('button.about') && !!document.activeElement.closest('li').querySelector('label.on.quasi-identifier'), 'a quasi-identifier');
    const column = await page.evaluate(() => document.activeElement.querySelector('.name').textContent);
    await page.keyboard.press('Enter');
    await page.keyboard.press('i');
    await page.getByText(/Gone with that/).waitFor();
    await page.keyboard.press('Control+z');
    await page.waitForFunction((text) => document.querySelector('textarea')?.value === text, begun);
    check(onDisk() === begun, `what ${column} had is not back`);

    // The highest level of a hierarchy: counted down by an arrow, and let go of.
    await page.keyboard.press('2');
    await tabTo(() => document.activeElement?.getAttribute('aria-label') === 'Highest level allowed', 'the highest level');
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    await says(page, 'max-level = 1');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Control+z');
    await page.waitForFunction((text) => document.querySelector('textarea')?.value === text, begun);

    await page.keyboard.press('3');
    await page.getByRole('heading', { name: 'Promise', exact: true }).waitFor();
    await tabTo(() => document.activeElement?.textContent?.startsWith('k = 15'), 'a preset');
    await page.keyboard.press('Enter');
    await says(page, 'k = 15');
    await page.keyboard.press('Control+z');
    await saysNot(page, 'k = 15');
    check(!onDisk().includes('k = 15'), 'undo did not reach the file');
    await page.keyboard.press('Control+Shift+z');
    await says(page, 'k = 15');
    await page.keyboard.press('Control+z');
    await saysNot(page, 'k = 15');

    // The number in the sentence of the promise.
    await tabTo(() => document.activeElement?.matches('.sentence input'), 'the number in the sentence');
    const k = await page.evaluate(() => Number(document.activeElement.value));
    await page.keyboard.press('ArrowUp');
    await says(page, `k = ${k + 1}`);
    await page.keyboard.press('ArrowDown');
    await says(page, `k = ${k}\n`);
    await page.keyboard.press('Tab');

    await page.keyboard.press('4');
    if (onDisk().includes('name = "full-domain"')) await throughTheLattice();
    else await page.getByText('gives rows labels of their own').waitFor();

    await page.keyboard.press('5');
    await tabTo(() => document.activeElement?.textContent?.trim() === 'Find the release', 'the button that finds the release');
    await page.keyboard.press('Enter');
    await page.getByText('Every promise would be kept').waitFor();
    await page.keyboard.press('6');
    await page.getByRole('heading', { name: 'What is written' }).waitFor();
    await tabTo(() => document.activeElement?.matches('main button') && document.activeElement.textContent.trim() === 'Publish', 'the button that publishes');
    await page.keyboard.press('Enter');
    await page.getByText('Published and verified').waitFor();
    sameAsTheCommandLine(path, policy, release);
    check(page.complaints.length === 0, page.complaints.join('\n'));
  } finally {
    await page.context().close();
    await studio.stop();
  }
}

/// Each in a folder of its own, so that none finds what another left.
function inpatients(place, name) {
  const path = join(place.path, name);
  mkdirSync(path);
  cpSync(join(root, 'examples/inpatients/inpatients.csv'), join(path, 'inpatients.csv'));
  return { place, path, open: 'inpatients.csv', policy: 'inpatients.policy.toml', release: 'inpatients.release.csv' };
}

function census(place, name) {
  const path = join(place.path, name);
  cpSync(join(root, 'examples/census'), path, { recursive: true });
  shoal(['generate', 'census', '--rows', rows, '--seed', '1', '--output', 'census.csv', '--overwrite'], { cwd: path });
  return { place, path, open: 'policy.toml', policy: 'policy.toml', release: 'release.csv' };
}

/// A table without a policy, for which one is proposed.
function proposed(place, name) {
  const path = join(place.path, name);
  mkdirSync(path);
  shoal(['generate', 'census', '--rows', '2000', '--seed', '1', '--output', 'people.csv'], { cwd: path });
  return { path, open: 'people.csv', release: 'people.release.csv' };
}

const browser = await launch();
const place = folder();
const timed = async (what, act) => {
  if (process.argv[2] && !what.includes(process.argv[2])) return;
  const begin = Date.now();
  console.log(what);
  await act();
  console.log(`  ${((Date.now() - begin) / 1000).toFixed(1)} s`);
};
try {
  await timed('by mouse, the inpatients', () => byMouse(browser, inpatients(place, 'mouse')));
  await timed('less lost than the proposal', () => lessLost(browser, proposed(place, 'less')));
  await timed(`by keyboard, the census of ${rows} rows`, () => byKeyboard(browser, census(place, 'keys')));
  if (isLong) {
    await timed(`by mouse, the census of ${rows} rows`, () => byMouse(browser, census(place, 'mouse-census')));
    await timed('by keyboard, the inpatients', () => byKeyboard(browser, inpatients(place, 'keys-inpatients')));
  }
  console.log('the studio does what the command line does');
} finally {
  await browser.close();
  place.remove();
}
