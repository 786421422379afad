// How is a studio started for a test, and looked at in a real browser?

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import { chromium } from 'playwright-core';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const program = process.env.SHOAL_TEST_PROGRAM ?? join(process.env.CARGO_TARGET_DIR ?? join(root, 'target'), 'debug/shoal');

export function folder() {
  const path = mkdtempSync(join(tmpdir(), 'shoal-studio-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export function shoal(words, options = {}) {
  return execFileSync(program, words, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
}

/// Starts a studio, and says where it is once it is there.
export async function start(path, words = []) {
  const process_ = spawn(program, ['studio', '--no-browser', ...words], { cwd: path, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  const address = await new Promise((found, failed) => {
    process_.stderr.on('data', (bytes) => {
      said += bytes;
      const match = /http:\/\/127\.0\.0\.1:\d+\/\?token=[0-9a-f]+/.exec(said);
      if (match) found(match[0]);
    });
    process_.on('exit', (code) => failed(new Error(`the studio ended with ${code}: ${said}`)));
  });
  const ended = new Promise((resolve) => process_.on('exit', resolve));
  return {
    address,
    stop: async (signal = 'SIGTERM') => {
      process_.kill(signal);
      await ended;
    },
  };
}

export async function browser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

/// A page that fails the test when it complains, or asks anybody else for anything.
export async function page(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1640, height: 900 }, ...options });
  const page = await context.newPage();
  page.complaints = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of (401|422)/.test(message.text())) page.complaints.push(message.text());
  });
  page.on('pageerror', (error) => page.complaints.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith('http://127.0.0.1:')) page.complaints.push(`a request to ${request.url()}`);
  });
  // A page that was built just now, in a program that has an earlier one.
  if (process.env.STUDIO_BUNDLE) for (const file of ['app.js', 'app.css']) await page.route(`**/${file}`, (route) => route.fulfill({ path: join(process.env.STUDIO_BUNDLE, file) }));
  page.setDefaultTimeout(Number(process.env.STUDIO_PATIENCE ?? 60_000));
  return page;
}

export function check(holds, what) {
  if (!holds) throw new Error(what);
}

export const rooms = ['table', 'hierarchies', 'promise', 'explore', 'after', 'publish'];
const titles = { table: 'Table', hierarchies: 'Hierarchies', promise: 'Promise', explore: 'Explore', after: 'Before and after', publish: 'Publish' };

/// Goes to a room as somebody with a mouse does.
export async function go(page, room) {
  await page.getByRole('navigation').getByRole('button', { name: new RegExp(`^(\\d )?${titles[room]}`) }).click();
}

async function violations(page) {
  await page.evaluate(axe.source);
  const found = await page.evaluate(() => window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }));
  return found.violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 140)} ${node.failureSummary?.split('\n')[1] ?? ''}`).join(' | ')}`);
}

/// What is open may keep nobody out, in either colour.
export async function axeHere(page, what) {
  const all = [];
  for (const theme of ['light', 'dark']) {
    await page.evaluate((theme) => (document.documentElement.dataset.theme = theme), theme);
    await page.waitForTimeout(300);
    all.push(...(await violations(page)).map((one) => `${what} in ${theme}: ${one}`));
  }
  await page.evaluate(() => (document.documentElement.dataset.theme = 'light'));
  check(all.length === 0, all.join('\n'));
}

/// No room may keep anybody out, in either colour.
export async function axeEverywhere(page) {
  const all = [];
  for (const theme of ['light', 'dark']) {
    await page.evaluate((theme) => (document.documentElement.dataset.theme = theme), theme);
    for (const room of rooms) {
      await go(page, room);
      await page.waitForTimeout(400);
      all.push(...(await violations(page)).map((one) => `${room} in ${theme}: ${one}`));
    }
  }
  await page.evaluate(() => (document.documentElement.dataset.theme = 'light'));
  check(all.length === 0, all.join('\n'));
}

/// A table of 300 people.
export function small(path, name = 'small.csv') {
  const lines = Array.from({ length: 300 }, (_, row) => `${20 + (row % 40)},${['f', 'm'][row % 2]},${['clerk', 'miner', 'nurse', 'pope'][row % 4]},${['flu', 'gout', 'mumps'][row % 3]}`);
  writeFileSync(join(path, name), `age,sex,job,diagnosis\n${lines.join('\n')}\n`);
  return name;
}

export const arrives = (page) => page.getByRole('heading', { name: 'What is each column to an attacker?' }).waitFor();

/// A studio in a folder of its own and a page beside it; both are gone afterwards, however it ends. Nothing may have complained.
export async function visiting(browser, tables, act) {
  const place = folder();
  const names = tables.map((write) => write(place.path));
  const studio = await start(place.path, names);
  const visited = await page(browser);
  visited.on('dialog', (dialog) => visited.complaints.push(`a dialog: ${dialog.message()}`));
  try {
    await visited.goto(studio.address);
    if (names.length) await arrives(visited);
    await act(visited, place.path, studio);
    check(visited.complaints.length === 0, visited.complaints.join('\n'));
  } finally {
    await visited.context().close();
    await studio.stop();
    place.remove();
  }
}
