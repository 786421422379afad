// What if values are scripts, names are long, somebody clicks without end, a file is dropped, or the studio is killed in any room?
//
// STUDIO_LONG=1 clicks for ten seconds.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { arrives, axeEverywhere, axeHere, browser as launch, check, folder, go, page as visit, rooms, small, start, visiting } from './visit.mjs';

const SCRIPT = '<img src=x onerror="window.hacked=1">';
const LONG = 'a name that somebody thought about for a long time and then made longer, since there was room for it in the header of the file';

/// A table of 60 columns, some of whose names and values are markup; the name of its file.
function hostile(path) {
  const names = ['<script>window.hacked=1</script>', LONG, '"quoted" & {braces} `ticks`', ...Array.from({ length: 57 }, (_, place) => `column ${place}`)];
  const quoted = (text) => `"${String(text).replaceAll('"', '""')}"`;
  const value = (row, place) => (place === 0 ? [SCRIPT, '</script><script>window.hacked=1</script>', '{{7*7}}', 'javascript:window.hacked=1'][row % 4] : place === 1 ? `${'very '.repeat(20)}long ${row % 5}` : place === 2 ? ['a', 'b', "'c'"][row % 3] : (row * (place + 7)) % (place + 2));
  const lines = Array.from({ length: 400 }, (_, row) => names.map((_, place) => quoted(value(row, place))).join(','));
  writeFileSync(join(path, 'hostile.csv'), `${names.map(quoted).join(',')}\n${lines.join('\n')}\n`);
  return 'hostile.csv';
}

async function inEveryRoom(page, act) {
  for (const room of rooms) {
    await go(page, room);
    await page.waitForTimeout(300);
    await act(room);
  }
}

async function markup(browser) {
  await visiting(browser, [hostile], async (page) => {
    // Markup is made a quasi-identifier and grouped by hand, so that it is shown wherever values are.
    await page.getByRole('radio', { name: /quasi/i }).first().check({ force: true });
    await page.getByRole('button', { name: /^Reveal/ }).click();
    for (const width of [2560, 1440, 390, 360]) {
      await page.setViewportSize({ width, height: 900 });
      await inEveryRoom(page, async (room) => {
        const wide = await page.evaluate(() => [document.documentElement.scrollWidth, document.querySelector('main').scrollWidth - document.querySelector('main').clientWidth]);
        check(wide[0] <= width && wide[1] <= 1, `${room} is wider than ${width} px: ${wide}`);
      });
    }
    await page.setViewportSize({ width: 1640, height: 900 });
    await go(page, 'promise');
    await page.getByRole('button', { name: 'what this means' }).click();
    await page.locator('dialog[open]').waitFor();
    await axeHere(page, 'an explanation');
    await page.keyboard.press('Escape');
    check((await page.evaluate(() => window.hacked)) === undefined, 'a value of the table was run');
    await axeEverywhere(page);
  });
}

/// Groups made by hand: by dragging, and by keys.
async function groups(browser) {
  await visiting(browser, [small], async (page, path) => {
    const policy = () => readFileSync(join(path, 'small.policy.toml'), 'utf8');
    const until = async (holds, what) => {
      for (let tries = 0; !holds(policy()); tries++) {
        check(tries < 100, `${what}:\n${policy()}`);
        await page.waitForTimeout(50);
      }
    };
    await page.locator('button.about', { hasText: 'job' }).focus();
    await page.keyboard.press('q');
    await until((text) => /columns\.job\][^[]*quasi-identifier/.test(text), 'q does not make a quasi-identifier');
    await go(page, 'hierarchies');
    await page.getByRole('list', { name: 'Quasi-identifiers' }).getByRole('button', { name: /^job/ }).click();
    const byHand = page.getByRole('button', { name: 'Groups by hand', exact: true });
    if ((await byHand.getAttribute('aria-pressed')) !== 'true') await byHand.click();
    const value = (name) => page.getByRole('button', { name: new RegExp(`^${name} \\d`) });
    await value('clerk').dragTo(page.getByText('Drop here to make a new group'));
    await until((text) => text.includes('"group 1" = ["clerk"]'), 'dragging makes no group');
    await page.getByRole('button', { name: 'group 1', exact: true }).waitFor();
    await value('nurse').dragTo(page.getByRole('button', { name: 'group 1', exact: true }));
    await until((text) => /"group 1" = \["clerk", "nurse"\]/.test(text), 'dragging into a group does not move it');
    await page.getByRole('listitem').filter({ hasText: 'group 1' }).getByRole('button', { name: /^nurse/ }).waitFor();
    await value('miner').focus();
    await page.keyboard.press('Space');
    await page.getByLabel('into').selectOption('new');
    await page.getByLabel('Name of the new group').fill('below ground');
    await page.keyboard.press('Enter');
    await until((text) => text.includes('"below ground" = ["miner"]'), 'keys make no group');
    await page.getByRole('button', { name: 'below ground', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Rename group 1' }).press('Enter');
    await page.getByLabel('New name of group 1').fill('above ground');
    await page.keyboard.press('Enter');
    await until((text) => text.includes('"above ground" = ["clerk", "nurse"]'), 'a group keeps its name');
    await page.getByRole('button', { name: 'above ground', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Take below ground apart' }).press('Enter');
    await until((text) => !text.includes('below ground'), 'a group is not taken apart');
    await axeEverywhere(page);
  });
}

/// A file is dropped onto an empty studio.
async function drop(browser) {
  await visiting(browser, [], async (page, path) => {
    const dropped = (name, text) =>
      page.evaluate(
        ([name, text]) => {
          const data = new DataTransfer();
          data.items.add(new File([text], name));
          window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
        },
        [name, text],
      );
    await page.getByText('There is no table in this folder').waitFor();
    await axeHere(page, 'the empty studio');
    await dropped('evil.exe', 'MZ');
    await page.getByText(/does not end as that of a table/).waitFor();
    small(path, 'kept.csv');
    const table = readFileSync(join(path, 'kept.csv'), 'utf8');
    await dropped('kept.csv', 'something,else\n1,2\n');
    await page.getByText(/the folder has another file/).waitFor();
    check(readFileSync(join(path, 'kept.csv'), 'utf8') === table, 'a file was replaced');
    await dropped('people.csv', table);
    await arrives(page);
    check(readFileSync(join(path, 'people.csv'), 'utf8') === table && existsSync(join(path, 'people.policy.toml')), 'the file did not arrive');
    check(!existsSync(join(path, 'evil.exe')), 'a program was taken in');
  });
}

/// Killed in the middle of any room, and started again: the policy is as it was left, and so is the room.
async function killed(browser) {
  const place = folder();
  small(place.path);
  const file = join(place.path, 'small.policy.toml');
  let studio = await start(place.path, ['small.csv']);
  const page = await visit(browser);
  try {
    await page.goto(studio.address);
    await arrives(page);
    for (const [place_, room] of rooms.entries()) {
      await go(page, 'promise');
      const k = page.getByRole('spinbutton', { name: 'k', exact: true }).first();
      await k.fill(String(3 + place_));
      await k.press('Tab');
      await page.waitForFunction((text) => document.querySelector('textarea')?.value.includes(text), `k = ${3 + place_}`);
      await go(page, room);
      if (room === 'explore') await page.getByRole('button', { name: /^Search/ }).click();
      if (room === 'after') await page.getByRole('button', { name: /^Find/ }).click();
      if (room === 'publish') await page.locator('main').getByRole('button', { name: 'Publish', exact: true }).click();
      await studio.stop('SIGKILL');
      await page.getByText(/The studio does not answer/).waitFor();
      const text = readFileSync(file, 'utf8');
      check(text.includes(`k = ${3 + place_}`), `killed in ${room}, the policy lost its last change`);
      studio = await start(place.path, ['small.csv']);
      await page.goto(`${studio.address}#${room}`);
      await page.waitForFunction((text) => document.querySelector('textarea')?.value === text, text);
    }
    // Whatever was being published when it was killed: the next one is whole.
    await go(page, 'publish');
    await page.locator('main').getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Published and verified').waitFor();
  } finally {
    await page.context().close();
    await studio.stop('SIGKILL');
    place.remove();
  }
}

/// Fifty clicks a second on whatever can be clicked: it stays whole, and says what is in the file.
async function clicks(browser) {
  const seconds = process.env.STUDIO_LONG ? 10 : 3;
  await visiting(browser, [small], async (page, path) => {
    await page.evaluate(async (seconds) => {
      let seed = 7;
      const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
      const end = performance.now() + seconds * 1000;
      while (performance.now() < end) {
        const all = [...document.querySelectorAll('button:not(:disabled), input[type=radio], input[type=checkbox], [role=button]')].filter((one) => !one.closest('dialog:not([open])'));
        const one = all[Math.floor(random() * all.length)];
        if (one) one.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }, seconds);
    // The last explanation that was asked for may come a moment later.
    for (let calm = 0; calm < 10; calm++) {
      await page.waitForTimeout(150);
      const wasOpen = await page.evaluate(() => {
        const dialog = document.querySelector('dialog[open]');
        dialog?.close();
        return !!dialog;
      });
      if (wasOpen) calm = 0;
    }
    // It answers at once, and what it shows is what is there.
    await go(page, 'table');
    await arrives(page);
    const file = join(path, 'small.policy.toml');
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Table');
    if (!(await page.locator('textarea').count())) await page.getByRole('button', { name: 'The policy as text' }).click();
    for (let tries = 0; (await page.locator('textarea').inputValue()) !== readFileSync(file, 'utf8'); tries++) {
      check(tries < 100, 'the page does not say what is in the file');
      await page.waitForTimeout(100);
    }
  });
}

const browser = await launch();
try {
  for (const [what, act] of Object.entries({ 'values and names that are markup': markup, 'groups made by hand': groups, 'a file dropped onto the page': drop, 'killed in every room': killed, 'fifty clicks a second': clicks })) {
    if (process.argv[2] && !what.includes(process.argv[2])) continue;
    const begin = Date.now();
    console.log(what);
    await act(browser);
    console.log(`  ${((Date.now() - begin) / 1000).toFixed(1)} s`);
  }
  console.log('the studio stays whole');
} finally {
  await browser.close();
}
