import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { SessionDetail } from '../../src/studio/protocol/session-shown.ts';
import { roomflowHere } from '../cli/run-cli.ts';
import { visitDay } from '../rooms/intake.ts';
import { descendantsOf } from '../rooms/processes.ts';
import { type DevStudio, startDevStudio } from './dev-studio.ts';
import { findBrowser, noBrowser, type OpenBrowser, openBrowser } from './open-browser.ts';
import { openStudioPage, type StudioPage } from './studio-page.ts';

const program = findBrowser();

describe.skipIf(program === null)(program === null ? noBrowser : 'the studio in a browser', () => {
  let studio: DevStudio;
  let browser: OpenBrowser;
  beforeAll(async () => {
    [studio, browser] = await Promise.all([startDevStudio(), openBrowser(program ?? '')]);
    // Selecting a node after a change plays all tests of the clinic. One is enough here.
    studio.edit('flows/clinic-intake/flow.flowtest.yaml', () => oneTest);
  });
  afterAll(async () => {
    await browser?.close();
    await studio?.stop();
  });

  test('a whole intake is typed, and each position of the time bar shows the server’s state', async () => {
    const page = await openStudioPage(browser, studio.url);
    await intake(page);
    await page.hears(/You are booked for .* photo ID/);
    await page.talk.getByText('find_openings').waitFor();
    await page.page.locator('.node.here[data-node=done_new]').waitFor();
    await page.page.locator('.arrow.taken').first().waitFor();
    await page.page.getByRole('button', { name: 'Save as test' }).click();
    await page.page
      .locator('.saved-test')
      .getByText(/It passes\./)
      .waitFor();
    const [, file = ''] = /(flows\S+\.yaml)/.exec(await page.page.locator('.saved-test').innerText()) ?? [];
    expect(readFileSync(join(studio.folder, file), 'utf8')).not.toMatch(/Robert|Miller|415/);

    await page.tab('State');
    await page.page.getByRole('button', { name: 'Reveal' }).click();
    await page.page.getByText('Everything').click();
    const id = decodeURIComponent(new URL(page.page.url()).hash.replace('#session=', ''));
    const { steps } = (await page.page.evaluate(
      `fetch('/api/sessions/${encodeURIComponent(id)}?states=yes').then((answer) => answer.json())`,
    )) as SessionDetail;
    await page.page.getByLabel('Position in the log').focus();
    await page.page.keyboard.press('Home');
    expect(steps.length).toBeGreaterThan(20);
    for (const [index, step] of steps.entries()) {
      await page.page.getByText(`${index + 1} / ${steps.length}`, { exact: true }).waitFor();
      expect(JSON.parse(await page.page.locator('.everything').innerText())).toEqual(step.state);
      await page.page.keyboard.press('ArrowRight');
    }
    expect(browser.complaints).toEqual([]);
  });

  test('words that are sent while a conversation begins are its first words', async () => {
    const page = await openStudioPage(browser, studio.url);
    await page.begin();
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const isDoor = ({ pathname }: URL): boolean => pathname === '/api/sessions';
    await page.page.route(isDoor, async (route) => {
      if (route.request().method() === 'POST') await begun;
      await route.continue();
    });
    const before = page.page.url();
    await page.page.getByRole('button', { name: 'New conversation' }).click();
    await page.page.getByText('Starting…').waitFor();
    await page.page.getByLabel('What you say').fill('When are you open?');
    await page.page.keyboard.press('Enter');
    begin();
    await page.hears(/from eight to five/);
    expect(page.page.url()).not.toBe(before);
    expect(browser.complaints).toEqual([]);
  });

  test('the caller’s words are shown as text, even if they look like markup', async () => {
    const page = await openStudioPage(browser, studio.url);
    const words = '<script>document.title = "taken"</script><img src=x onerror="document.title=1"> & <b>bold</b>';
    await page.begin();
    await page.hears(/Shall we start/);
    await page.say(words);
    expect(await page.talk.locator('.line.caller .said').last().innerText()).toContain(words);
    expect(await page.talk.locator('script, img, b').count()).toBe(0);
    expect(await page.page.title()).toBe('Roomflow studio');
    expect(browser.complaints).toEqual([]);
  });

  test('a page of another origin or of another host name gets no data from the studio', async () => {
    const { page } = await openStudioPage(browser, studio.url);
    await page.locator('.node').first().waitFor();
    const sessions = async (): Promise<number> =>
      ((await page.evaluate(`fetch('/api/sessions').then((answer) => answer.json())`)) as unknown[]).length;
    const before = await sessions();
    // A page from another server, in the browser with the studio's cookie.
    const foreign = createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Elsewhere</title>'),
    );
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void foreign.close());
    const elsewhere = await page.context().newPage();
    await elsewhere.goto(`http://localhost:${(foreign.address() as AddressInfo).port}/`);
    const sent = (await elsewhere.evaluate(sendFromElsewhere(studio.origin))) as readonly string[];
    expect(sent).toEqual(['read: refused', 'written: refused', 'sent blindly: refused']);
    // The same server under a foreign name that resolves to this machine.
    const port = new URL(studio.origin).port;
    const rebound = await page.context().newPage();
    const answer = await rebound.goto(`http://studio.localhost:${port}/?token=${studio.url.split('token=')[1]}`);
    expect([answer?.status(), await rebound.title()]).toEqual([421, '']);
    expect(await sessions()).toBe(before);
    browser.forgive(); // The console of those pages reports the refused requests.
  });

  test('a line that is edited and saved in the page is used in the same call', async () => {
    const page = await openStudioPage(browser, studio.url);
    await page.begin();
    await page.answer(/Shall we start/, 'When are you open?');
    await page.hears(/from eight to five/);
    await page.page.locator('[data-node=hours]').dispatchEvent('click');
    await page.page.getByRole('button', { name: /flow\.yaml:\d+$/ }).click();
    await page.editorIsAt(/^ {2}hours:/);
    await page.page.keyboard.press('Alt+l');
    await page.page.keyboard.insertText('  hours: { say: "We never close.", default_transition: $return }\n');
    await page.page.getByText('Not saved').waitFor();
    await page.page.keyboard.press('Control+s');
    await page.page.getByText(/The conversation continues at/).waitFor();
    // Saving keeps the caret.
    await page.page.keyboard.press('Control+End');
    await page.page.keyboard.insertText('# The last line.');
    await page.editorIsAt(/^# The last line\.$/);
    await page.page.keyboard.press('Control+s');
    await page.page.getByText('Not saved').waitFor({ state: 'detached' });
    await page.editorIsAt(/^# The last line\.$/);
    await page.say('When are you open?');
    await page.hears(/We never close/);
    await page.page.getByRole('button', { name: 'Save as test' }).click();
    const message = page.page.locator('.saved-test');
    await message.getByText(/It passes\./).waitFor();
    const command = await message.locator('code').innerText();
    expect(command).toMatch(/^npx roomflow test flows\/clinic-intake\/[\w.-]+\.flowtest\.yaml$/);
    expect(await page.violations()).toEqual([]);
    await message.getByRole('button', { name: /\.flowtest\.yaml$/ }).click();
    await page.page.locator('.cm-line').getByText('When are you open?').first().waitFor();
    const run = await roomflowHere(command.split(' ').slice(2), '', studio.folder);
    expect(run.out).toContain('1 scenario: 1 passed');
    expect(browser.complaints).toEqual([]);
  });

  test('if a file was saved elsewhere meanwhile, both texts are shown and neither is lost', async () => {
    const page = await openStudioPage(browser, studio.url);
    await page.tab('File');
    await page.page.locator('.cm-line').first().click();
    await page.editorIsAt(/./);
    await page.page.keyboard.insertText('# mine ');
    await page.page.getByText('Not saved').waitFor();
    studio.edit('flows/clinic-intake/flow.yaml', (text) => `# theirs\n${text}`);
    const conflict = page.page.getByRole('region', { name: 'The file has changed on disk' });
    await conflict.getByText('# mine').waitFor();
    await conflict.getByText('# theirs').waitFor();
    await conflict.getByRole('button', { name: 'Use the version on disk' }).click();
    await page.page.locator('.cm-line').first().getByText('# theirs').waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test('a broken file is reported with its line, and the last valid graph stays', async () => {
    const page = await openStudioPage(browser, studio.url);
    await page.page.locator('.node').first().waitFor();
    studio.edit('flows/clinic-intake/flow.yaml', (text) =>
      text.replace('transition_to: details }', 'transition_to: detials }'),
    );
    await page.tab('Problems');
    await page.page.getByText('Did you mean "details"?').first().waitFor();
    await page.page
      .getByRole('button', { name: /flow\.yaml:\d+$/ })
      .first()
      .click();
    await page.editorIsAt(/detials/);
    // One click applies the fix in the editor and saves the file.
    await page.page.getByRole('button', { name: 'Change to "details"' }).first().click();
    await page.page.getByText(/^No problems\. In the text that is not saved yet/).waitFor();
    await page.page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.page.getByText('No problems.', { exact: true }).waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test('the page reports a crash of the conversation’s process, and the call resumes', async () => {
    const page = await openStudioPage(browser, studio.url);
    await page.begin();
    await page.answer(/Shall we start/, 'Yes, please.');
    await page.hears(/full name/);
    for (const pid of stages()) process.kill(pid, 'SIGKILL');
    await page.page.getByRole('alert').waitFor();
    const back = page.page.getByRole('button', { name: 'Call back' });
    await Promise.race([back.waitFor(), page.page.getByLabel('What you say').waitFor()]);
    if (await back.isVisible()) await back.click();
    await page.answer(/full name/, 'My name is Maria Delgado.');
    await page.hears(/Maria Delgado/);
    expect(browser.complaints).toEqual([]);
  });

  test('the editor offers completions, and keeps its position when the user returns', async () => {
    const page = await openStudioPage(browser, studio.url);
    await page.page.locator('[data-node=hours]').dispatchEvent('click');
    await page.page.getByRole('button', { name: /flow\.yaml:\d+$/ }).click();
    await page.editorIsAt(/^ {2}hours:/);
    await page.page.keyboard.press('Home');
    await page.page.keyboard.insertText('here: { default_transition: } \n  ');
    await page.page.keyboard.press('ArrowUp');
    await page.page.keyboard.press('End');
    await page.page.keyboard.press('ArrowLeft');
    await page.page.keyboard.press('ArrowLeft');
    await page.page.keyboard.type('eme');
    await page.page.getByRole('option', { name: /^emergency/ }).waitFor();
    await page.proposalsTakeKeys();
    await page.page.keyboard.press('Enter');
    await page.editorIsAt(/here: \{ default_transition: emergency/);
    await page.tab('Graph');
    await page.tab('File');
    await page.page.locator('.cm-activeLine').filter({ hasText: 'here: { default_transition: emergency' }).waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test('the editor explains a name, under the pointer and by the keyboard', async () => {
    const page = await openStudioPage(browser, studio.url);
    await page.page.locator('[data-node=parking]').dispatchEvent('click');
    await page.page.getByRole('button', { name: /flow\.yaml:\d+$/ }).click();
    await page.editorIsAt(/^ {2}parking:/);
    const about = page.page.locator('.cm-tooltip .about');
    // The announcement for screen readers is removed after a moment.
    await page.page.evaluate(`globalThis.announced = [];
      new MutationObserver((changes) => {
        for (const { target } of changes) announced.push(target.textContent);
      }).observe(document.querySelector('.cm-announced'), { childList: true });`);
    // The caret is before the name of the node.
    await page.page.keyboard.press('Control+Shift+Space');
    await about.getByText('There is free parking').waitFor();
    await about.locator('strong').getByText('parking', { exact: true }).waitFor();
    expect(await page.page.evaluate('announced.join()')).toMatch(/^parking, node\. There is free parking/);
    expect(await page.violations()).toEqual([]);
    await page.page.keyboard.press('Escape');
    await about.waitFor({ state: 'detached' });
    await page.page.keyboard.press('Control+Shift+Space');
    await about.waitFor();
    await page.page.keyboard.press('End');
    await about.waitFor({ state: 'detached' });
    await page.page.locator('.cm-activeLine').getByText('default_transition', { exact: true }).hover();
    await about.getByText('The next node if there is no other transition.').waitFor();
    expect(await page.violations()).toEqual([]);
    expect(browser.complaints).toEqual([]);
  });

  test('at a width of 390 pixels it shows one pane at a time without overflow', async () => {
    const page = await openStudioPage(browser, studio.url, { viewport: { width: 390, height: 844 }, hasTouch: true });
    await page.begin();
    await page.answer(/Shall we start/, 'Yes, please.');
    await page.hears(/full name/);
    for (const name of ['Graph', 'State', 'Turn', 'Node', 'Problems', 'File', 'Talk']) {
      await page.tab(name);
      if (name === 'File') await page.page.locator('.cm-line').first().waitFor();
      expect(await page.page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      if (/Graph|State|File|Talk/.test(name)) expect(await page.violations(), name).toEqual([]);
    }
    // The state of the file is on one line, beside its name or below it.
    await page.tab('File');
    const told = await page.page.getByText('As on disk').boundingBox();
    expect(told?.height).toBeLessThan(30);
    // The slider is wide enough to move and covers no text.
    const bar = page.page.getByRole('region', { name: 'Time' });
    const slider = await bar.getByLabel('Position in the log').boundingBox();
    expect(slider?.width).toBeGreaterThan(200);
    await bar.getByText(/^\d+ \/ \d+$/).click();
    await page.tab('Graph');
    await page.page.locator('.node-list .here').getByText('details', { exact: true }).waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test('the keyboard alone begins a call, answers, goes through the graph and back in time', async () => {
    const { page, begin, hears, talk } = await openStudioPage(browser, studio.url);
    await page.locator('.node').first().waitFor();
    await tabTo(page, () => page.getByRole('button', { name: 'New conversation' }));
    await begin(() => page.keyboard.press('Enter'));
    await talk
      .locator('.line.agent.done')
      .filter({ hasText: /Shall we start/ })
      .waitFor();
    await tabTo(page, () => page.getByLabel('What you say'));
    await page.keyboard.type('Yes, please.');
    await page.keyboard.press('Enter');
    await hears(/full name/);
    await tabTo(page, () => page.locator('.node.here'));
    await page.keyboard.press('ArrowUp');
    await page.locator('.node:focus:not(.here)').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Node', selected: true }).waitFor();
    await tabTo(page, () => page.getByLabel('Position in the log'));
    await page.keyboard.press('Home');
    await page.getByText(/^1 \/ \d+$/).waitFor();
    await talk.locator('.line.future').first().waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test.each(['light', 'dark'] as const)('axe finds nothing wrong with any pane, %s', async (colorScheme) => {
    const page = await openStudioPage(browser, studio.url, { colorScheme });
    await page.page.locator('.node').first().waitFor();
    for (const name of ['Turn', 'Node', 'Problems', 'State', 'File', 'Graph']) {
      await page.tab(name);
      if (name === 'File') await page.page.locator('.cm-line').first().waitFor();
      expect(await page.violations(), name).toEqual([]);
    }
    // If the fitted picture is too small to read, the names of its nodes replace it.
    const name = page.page.locator('.overview [data-node=why_we_ask] .name');
    await page.page.getByRole('button', { name: 'Fit' }).click();
    await name.waitFor();
    expect((await name.boundingBox())?.height).toBeGreaterThan(10);
    expect(await page.violations(), 'overview').toEqual([]);
    await page.page.getByLabel('Find a node').fill('free parking');
    await page.page.keyboard.press('Enter');
    await page.page.locator('svg.flow .node.selected[data-node=parking]').waitFor();
    await page.page.locator('.minimap .seen').waitFor();
    await page.page.getByRole('tab', { name: 'Graph' }).focus();
    await page.page.keyboard.press('?');
    await page.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await page.violations(), 'keys').toEqual([]);
    expect(browser.complaints).toEqual([]);
  });

  test('on the first visit it draws the graph and takes words without fetching the editor or the voice code', async () => {
    const { page } = await openStudioPage(browser, studio.url);
    await page.locator('.node').first().waitFor();
    await page.getByLabel('What you say').fill('Hello');
    expect(await fetched(page)).not.toMatch(/code-editor|room-voice/);
    // The editor is read-only until its file has arrived, so that no input is lost.
    let answer = (): void => undefined;
    const isAnswered = new Promise<void>((resolve) => (answer = resolve));
    await page.route(/\/api\/file\?/, async (route) => {
      await isAnswered;
      await route.continue();
    });
    const asked = page.waitForRequest(/\/api\/file\?/);
    await page.getByRole('tab', { name: 'File' }).click();
    await asked;
    await page.getByText('No file is open yet.').waitFor();
    expect(await page.locator('.cm-content').count()).toBe(0);
    answer();
    await page.locator('.cm-line').first().waitFor();
    expect(await fetched(page)).toMatch(/code-editor/);
    expect(browser.complaints).toEqual([]);
  });
});

const oneTest = `flow: flow.yaml
scenarios:
  - { name: whoever asks is told when the clinic is open, engine: offline, turns: [{ user: When are you open? }] }
`;

async function intake(page: StudioPage): Promise<void> {
  await page.begin();
  await page.answer(/Shall we start\?/, 'Yes, please.');
  await page.answer(/full name\?/, 'My name is Robert Miller, born March fourth 1984.');
  await page.answer(/is that right\?/, 'Yes.');
  await page.answer(/been here before\?/, 'No.');
  await page.answer(/brings you in\?/, 'I need a check up.');
  await page.answer(/phone number/, '415 555 0123.');
  await page.answer(/is that right\?/i, 'Correct.');
  await page.answer(/Which day would/, `${visitDay}.`);
  await page.answer(/What time would/, 'At eleven in the morning.');
  await page.answer(/Shall I book it\?/, 'Yes.');
}

/** Requests of a foreign page, as text, because the page has no access to this file. */
function sendFromElsewhere(origin: string): string {
  return `(async () => {
    const tried = async (what, work) => {
      try { return what + ': ' + await work(); } catch { return what + ': refused'; }
    };
    const body = JSON.stringify({});
    return [
      await tried('read', async () => (await fetch('${origin}/api/sessions', { credentials: 'include' })).status),
      await tried('written', async () => (await fetch('${origin}/api/sessions', { method: 'POST', credentials: 'include',
        headers: { 'content-type': 'application/json' }, body })).status),
      await tried('sent blindly', async () => (await fetch('${origin}/api/sessions', { method: 'POST', mode: 'no-cors',
        credentials: 'include', body })).type),
    ];
  })()`;
}

/** Returns the files that a page has fetched, one per line. */
async function fetched(page: StudioPage['page']): Promise<string> {
  return (await page.evaluate(
    `performance.getEntriesByType('resource').map(({ name }) => name).join('\\n')`,
  )) as string;
}

/** Presses Tab until the element has the focus. */
async function tabTo(page: StudioPage['page'], wanted: () => ReturnType<StudioPage['page']['locator']>): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    if ((await wanted().and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('The keyboard does not get there.');
}

/** Returns the processes of the studio's sessions, which run the author's code. */
function stages(): readonly number[] {
  return descendantsOf(process.pid).filter((pid) => {
    const file = `/proc/${pid}/cmdline`;
    return existsSync(file) && /stage\.js/.test(readFileSync(file, 'utf8'));
  });
}
