// Does the page lose nothing that somebody typed or had open, say what it took, and keep to itself what is nobody else's?

import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { arrives, axeHere, browser as launch, check, folder, go, page as visit, small, start, visiting } from './visit.mjs';

const policyOf = (path, name = 'small') => readFileSync(join(path, `${name}.policy.toml`), 'utf8');

/// Waits until the file of the policy is so.
async function until(page, path, holds, what) {
  for (let tries = 0; !holds(policyOf(path)); tries++) {
    check(tries < 100, `${what}:\n${policyOf(path)}`);
    await page.waitForTimeout(50);
  }
}

/// What cannot be taken stays where it was typed, with what is wrong beside it.
async function typed(browser) {
  await visiting(browser, [small], async (page, path) => {
    const before = policyOf(path);
    const k = page.getByRole('spinbutton', { name: 'k', exact: true });
    // The number goes into its sentence when that is known, unless somebody is typing it.
    await page.route('**/api/promises', (route) => setTimeout(() => void route.continue(), 1200));
    const answer = page.waitForResponse('**/api/promises');
    await go(page, 'promise');
    await k.focus();
    await page.keyboard.type('x');
    const typing = await k.inputValue();
    await answer;
    await page.waitForTimeout(200);
    check(typing.endsWith('x') && (await k.inputValue()) === typing && (await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))) === 'k', 'what is being typed is lost');
    await page.keyboard.press('Escape');
    await k.blur();
    await page.locator('.sentence input').first().waitFor();
    await page.unroute('**/api/promises');
    for (const [wrong, why] of [['many', /whole number/], ['-3', /.+/], ['', /needs a value/]]) {
      await k.fill(wrong);
      await k.press('Enter');
      await page.getByRole('alert').filter({ hasText: why }).first().waitFor();
      check((await k.inputValue()) === wrong && (await k.getAttribute('aria-invalid')) === 'true', `${wrong} is lost: ${await k.inputValue()}`);
    }
    await axeHere(page, 'a wrong value');
    await k.press('Escape');
    check(/^\d+$/.test(await k.inputValue()), 'Escape does not bring the value back');
    check(policyOf(path) === before, 'a wrong value was written');
    const from = Number(await k.inputValue());
    await k.press('ArrowUp');
    await until(page, path, (text) => text.includes(`k = ${from + 1}`), 'an arrow does not count up');

    await go(page, 'hierarchies');
    await page.getByRole('list', { name: 'Quasi-identifiers' }).getByRole('button', { name: /^age/ }).click();
    await page.getByRole('button', { name: 'Intervals', exact: true }).click();
    const widths = page.getByRole('textbox', { name: 'Widths' });
    await widths.waitFor();
    const intervals = policyOf(path);
    for (const wrong of ['5, x', '5, 7', '0']) {
      await widths.fill(wrong);
      await widths.press('Enter');
      await page.getByRole('alert').first().waitFor();
      check((await widths.inputValue()) === wrong, `${wrong} is lost`);
      check(policyOf(path) === intervals, `${wrong} was written`);
    }
    await widths.fill('5, 20');
    await widths.press('Enter');
    await until(page, path, (text) => text.includes('intervals = [5, 20]'), 'widths are not written');
    // A hierarchy that is wrong in the text keeps its fields, so that it can be mended there.
    writeFileSync(join(path, 'small.policy.toml'), policyOf(path).replace('[5, 20]', '[5, 7]'));
    await page.getByText(/was changed by another program/).waitFor();
    // No room is done whose policy is wrong.
    const room = (name) => page.getByRole('navigation').getByRole('button', { name: new RegExp(`^${name}`) }).textContent();
    check((await room('Promise')).includes('needs attention') && !(await room('Hierarchies')).includes('done'), 'a room is called done whose policy is wrong');
    await widths.waitFor();
    await widths.fill('5, 10');
    await widths.press('Enter');
    await until(page, path, (text) => text.includes('intervals = [5, 10]'), 'it cannot be mended in its field');
  });
}

/// Keys that undo, also where a list has the focus; and what a role takes with it is said, and comes back.
async function undone(browser) {
  await visiting(browser, [small], async (page, path) => {
    const proposed = policyOf(path);
    await page.locator('button.about', { hasText: 'age' }).focus();
    await page.keyboard.press('i');
    await page.getByText(/Gone with that/).waitFor();
    check((await page.getByText(/Gone with that/).textContent()).includes('of age'), 'the hierarchy that went is not named');
    await page.getByRole('button', { name: 'Undo the change' }).click();
    await until(page, path, (text) => text === proposed, 'what went does not come back');
    await page.getByText(/Gone with that/).waitFor({ state: 'detached' });
    await go(page, 'promise');
    const objective = page.getByLabel('What is to be small');
    await objective.selectOption('height');
    await until(page, path, (text) => text.includes('objective = "height"'), 'the objective is not written');
    await objective.focus();
    await page.keyboard.press('Control+z');
    await until(page, path, (text) => text === proposed, 'Ctrl-Z does nothing where a list has the focus');
    await page.keyboard.press('Control+Shift+z');
    await until(page, path, (text) => text.includes('objective = "height"'), 'nor does Ctrl-Shift-Z');
    await page.keyboard.press('p');
    check(await page.getByRole('region', { name: 'The policy as text' }).count(), 'a letter in a list is taken for a key of the page');
  });
}

/// Whoever types in the text while somebody else writes to the file is asked.
async function changedMeanwhile(browser) {
  await visiting(browser, [small], async (page, path) => {
    const file = join(path, 'small.policy.toml');
    const area = page.getByRole('textbox', { name: 'Text of the policy' });
    const original = policyOf(path);
    const conflict = async () => {
      await area.focus();
      await page.keyboard.press('Control+Home');
      await page.keyboard.type('# mine\n');
      writeFileSync(file, `# theirs\n${original}`);
      await page.getByText('The policy was changed meanwhile').waitFor();
      check(policyOf(path) === `# theirs\n${original}` && (await area.inputValue()).startsWith('# mine'), 'one text took the place of the other');
    };
    await conflict();
    await axeHere(page, 'two texts');
    await page.getByRole('button', { name: 'Take what is there now' }).click();
    await page.waitForFunction(() => document.querySelector('textarea').value.startsWith('# theirs'));
    writeFileSync(file, original);
    await page.waitForFunction((text) => document.querySelector('textarea').value === text, original);
    await conflict();
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await until(page, path, (text) => text === `# mine\n${original}`, 'mine is not kept');
  });
}

/// What is open stays until another file can be read, and another one can be chosen at any time.
async function opened(browser) {
  await visiting(browser, [small], async (page, path) => {
    writeFileSync(join(path, 'empty.csv'), '');
    writeFileSync(join(path, 'small.2023.csv'), 'year,score\n2023,1\n2022,2\n');
    await page.getByRole('button', { name: 'Open…' }).click();
    await axeHere(page, 'another file to open');
    await page.getByRole('button', { name: /^empty.csv/ }).click();
    await page.getByText(/That file could not be opened; small.csv still is/).waitFor();
    await arrives(page);
    check(await page.locator('button.about', { hasText: 'diagnosis' }).count(), 'what was open is gone');
    await page.getByRole('button', { name: 'Open…' }).click();
    await page.getByRole('button', { name: /^small.2023.csv/ }).click();
    await page.locator('button.about', { hasText: 'score' }).waitFor();
    check(policyOf(path, 'small.2023').includes('small.2023.csv') && !policyOf(path).includes('2023'), 'the policy of another table was taken');
  });
}

/// What is said of the table follows from what the user says of it.
async function headline(browser) {
  await visiting(browser, [small], async (page, path) => {
    const single = page.locator('.facts .single').last();
    const named = () => single.textContent();
    await single.waitFor();
    check((await named()).includes('age'), `the age is not among what singles out: ${await named()}`);
    await page.locator('button.about', { hasText: 'age' }).focus();
    await page.keyboard.press('i');
    await page.waitForFunction(() => ![...document.querySelectorAll('.facts .single')].some((one) => one.textContent.includes('age')));
    // Rows keep their numbers.
    const [first, second] = [0, 1].map((place) => page.locator('tbody tr').nth(place).locator('td.number'));
    check((await first.textContent()) === '1' && (await second.textContent()) === '2', 'rows are not counted from 1');
    await page.getByRole('button', { name: 'job', exact: true }).click();
    await page.waitForFunction(() => document.querySelectorAll('tbody tr')[1]?.querySelector('td.number')?.textContent === '5');
    // What is there already is said in words of the page.
    await go(page, 'publish');
    writeFileSync(join(path, 'small.release.csv'), 'mine\n');
    await page.locator('main').getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText(/tick "Replace files of these names"/).waitFor();
    check(!(await page.locator('main').textContent()).includes('--overwrite to'), 'an option of the command line is hinted at');
    await page.getByRole('checkbox', { name: /Replace files/ }).check();
    await page.getByText('--overwrite').first().waitFor();
    await page.locator('main').getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Published and verified').waitFor();
  });
}

/// A point that was found stays one to take, also after the policy has changed.
async function taken(browser) {
  await visiting(browser, [small], async (page, path) => {
    await go(page, 'explore');
    await page.getByRole('button', { name: /^Search/ }).click();
    const point = (k) => page.getByRole('button', { name: new RegExp(`(^|, )k = ${k}[:,]`) });
    for (const k of [3, 7]) {
      await point(k).first().waitFor();
      await page.getByRole('button', { name: /^Search/, disabled: false }).waitFor();
      await point(k).first().dispatchEvent('click');
      await page.getByRole('button', { name: 'Take this one' }).click();
      await until(page, path, (text) => text.includes(`k = ${k}`), `k = ${k} is not taken`);
      await page.getByRole('button', { name: 'Taken', exact: true }).waitFor();
    }
  });
}

/// Eight pages at once, all of which hear what happens in one of them; and those that are left once it is closed.
async function manyPages(browser) {
  const place = folder();
  small(place.path);
  const studio = await start(place.path, ['small.csv']);
  const first = await visit(browser);
  try {
    await first.goto(studio.address);
    await arrives(first);
    const others = [];
    for (let number = 0; number < 7; number++) {
      const page = await first.context().newPage();
      page.setDefaultTimeout(20_000);
      await page.goto(first.url());
      await arrives(page);
      others.push(page);
    }
    const change = async (page, k, all) => {
      await go(page, 'promise');
      const field = page.getByRole('spinbutton', { name: 'k', exact: true });
      await field.fill(String(k));
      await field.press('Enter');
      for (const other of all) await other.waitForFunction((text) => document.querySelector('textarea')?.value.includes(text), `k = ${k}`, { timeout: 20_000 });
    };
    await change(others[6], 17, [first, ...others]);
    await first.close();
    await change(others[0], 19, others);
  } finally {
    await first.context().close();
    await studio.stop();
    place.remove();
  }
}

/// What another server of loopback hears from the browser, and two studios side by side.
async function besideOthers(browser) {
  const heard = [];
  const server = createServer((request, response) => {
    heard.push(request.headers.cookie ?? '');
    response.setHeader('set-cookie', 'shoal-studio=theirs; Path=/');
    response.setHeader('content-type', 'text/html');
    response.end('<p>another server</p>');
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const [one, other] = [folder(), folder()];
  small(one.path, 'one.csv');
  small(other.path, 'other.csv');
  const studios = [await start(one.path, ['one.csv']), await start(other.path, ['other.csv'])];
  const page = await visit(browser);
  try {
    const places = [];
    for (const studio of studios) {
      await page.goto(studio.address);
      await arrives(page);
      places.push(page.url());
    }
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.getByText('another server').waitFor();
    check(heard.length > 0 && heard.every((cookie) => !/[0-9a-f]{32}/.test(cookie)), `another server hears ${heard}`);
    for (const [at, name] of places.map((at, place) => [at, ['one', 'other'][place]])) {
      await page.goto(at);
      await arrives(page);
      await page.waitForFunction((name) => document.title.includes(`${name}.policy.toml`), name);
    }
    check(page.complaints.filter((one) => !one.includes('favicon') && !one.includes('404')).length === 0, page.complaints.join('\n'));
  } finally {
    await page.context().close();
    for (const studio of studios) await studio.stop();
    server.close();
    one.remove();
    other.remove();
  }
}

const browser = await launch();
try {
  for (const [what, act] of Object.entries({ 'what is typed': typed, 'undo everywhere': undone, 'changed meanwhile': changedMeanwhile, 'opening another file': opened, 'what the user says of the table': headline, 'points to take': taken, 'eight pages': manyPages, 'beside other servers': besideOthers })) {
    if (process.argv[2] && !what.includes(process.argv[2])) continue;
    const begin = Date.now();
    console.log(what);
    await act(browser);
    console.log(`  ${((Date.now() - begin) / 1000).toFixed(1)} s`);
  }
  console.log('nothing is lost');
} finally {
  await browser.close();
}
