import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import type { ChatTurn, FromComposer, ToComposer } from '../../wire/composer-messages.ts';
import { useLonePage } from './support/lone-page.ts';

const LONG = 'The air scatters blue light most. '.repeat(3_000);

function turnOf(id: number, text: string, state: 'ok' | 'working' = 'ok'): ChatTurn {
  const times = { at: 0, until: 0, pieces: 1, ticks: [] };
  const part = {
    id: 'a',
    kind: 'text',
    title: '',
    status: 'ok',
    ...times,
    text,
    notes: [],
    children: [],
  } as const;
  const reply = { state, words: state, call: `call-${id}`, parts: { parts: [part], notes: [] } };
  return { id, text: `Question ${id}`, files: [], reply, question: '', isFolded: false };
}

/** The page of Compose alone, with the extension's end of its messages in the test's hand. */
describe('the page of Compose', () => {
  const lone = useLonePage('composer');
  let page: Page;
  beforeEach(async () => {
    page = lone.page;
    await page.setViewportSize({ width: 300, height: 250 });
    await report({
      type: 'show',
      agents: [{ name: 'gpt', protocol: 'Responses', modes: ['chat', 'agent-json'] }],
      draft: { agent: 'gpt', mode: 'chat', text: '' },
      example: '',
      choice: 0,
      takesFocus: false,
    });
  });

  const report = (message: ToComposer): Promise<void> =>
    page.evaluate(each => {
      window.postMessage(each, '*');
      return new Promise<void>(resolve =>
        requestAnimationFrame(() => requestAnimationFrame(() => resolve())),
      );
    }, message);
  const sent = async (type: FromComposer['type']): Promise<readonly FromComposer[]> =>
    (await page.evaluate(() => (globalThis as unknown as { sent: FromComposer[] }).sent)).filter(
      each => each.type === type,
    );
  const scroll = (): Promise<{ readonly top: number; readonly isAtEnd: boolean }> =>
    page.locator('.thread').evaluate(({ scrollTop, clientHeight, scrollHeight }) => ({
      top: scrollTop,
      isAtEnd: scrollTop + clientHeight >= scrollHeight - 8,
    }));

  it('shows a line for each older turn of a long conversation, and asks for one that is opened', async () => {
    const turns = Array.from({ length: 200 }, (_, at) => {
      const turn = turnOf(at, LONG);
      const { parts: _parts, ...reply } = turn.reply;
      return at < 180 ? { ...turn, reply, isFolded: true } : turn;
    });
    await report({ type: 'chat', turns });
    assert.deepEqual([await page.locator('.folded').count(), await page.locator('.turn').count()], [180, 20]);
    assert.equal((await scroll()).isAtEnd, true);
    await page.locator('.folded', { hasText: 'Question 7' }).first().click();
    assert.deepEqual(await sent('turnStep'), [{ type: 'turnStep', step: 'unfold', turn: 7 }]);
    await report({ type: 'turn', turn: turnOf(7, 'Open again') });
    assert.deepEqual([await page.locator('.folded').count(), await page.locator('.turn').count()], [179, 21]);
  });

  it('follows a growing reply at the end, and leaves a user alone who has scrolled up', async () => {
    await report({ type: 'chat', turns: [turnOf(1, LONG)] });
    await report({ type: 'turn', turn: turnOf(2, 'One', 'working') });
    await report({ type: 'turn', turn: turnOf(2, `One ${LONG}`, 'working') });
    assert.equal((await scroll()).isAtEnd, true);
    await page.locator('.thread').evaluate(thread => (thread.scrollTop = 40));
    await report({ type: 'turn', turn: turnOf(2, `One ${LONG} more`, 'working') });
    assert.deepEqual(await scroll(), { top: 40, isAtEnd: false });
  });

  it('sends by Enter, breaks the line with Shift, and sends nothing that is empty or while a reply runs', async () => {
    await report({ type: 'chat', turns: [] });
    const input = page.getByLabel('Message', { exact: true });
    await input.press('Enter');
    await input.fill('One');
    await input.press('Shift+Enter');
    await input.press('T');
    assert.equal(await input.inputValue(), 'One\nT');
    await input.press('Enter');
    assert.deepEqual(
      (await sent('send')).map(step => 'draft' in step && step.draft.text),
      ['One\nT'],
    );
    assert.equal(await input.inputValue(), '');
    await report({ type: 'turn', turn: turnOf(1, 'Yes', 'working') });
    await input.fill('Two');
    await input.press('Enter');
    assert.equal((await sent('send')).length, 1);
    const box = await page.getByRole('button', { name: 'Stop' }).boundingBox();
    await report({ type: 'turn', turn: turnOf(1, 'Yes') });
    assert.deepEqual(await page.getByRole('button', { name: 'Send', exact: true }).boundingBox(), box);
  });

  it('shows what the agent asks, and what can be done with a message that was not answered', async () => {
    const { parts: _parts, ...reply } = turnOf(1, '').reply;
    const asked = { ...turnOf(1, 'Which city?'), question: 'a city' };
    await report({ type: 'chat', turns: [asked] });
    const input = page.getByLabel('Message', { exact: true });
    assert.match((await input.getAttribute('placeholder')) ?? '', /^Answer gpt /);
    await page.getByRole('button', { name: 'Answer' }).click();
    assert.equal(await input.evaluate(field => field === document.activeElement), true);
    await page.getByRole('button', { name: 'Ask another agent…' }).click();
    await report({
      type: 'turn',
      turn: { ...turnOf(2, ''), reply: { ...reply, state: 'held', words: 'A doubt' } },
    });
    await page.getByRole('button', { name: 'Send anyway' }).click();
    await report({
      type: 'turn',
      turn: { ...turnOf(3, ''), reply: { ...reply, state: 'error', words: 'refused' } },
    });
    await page.getByRole('button', { name: 'Send again' }).click();
    assert.deepEqual(
      (await sent('turnStep')).map(each => 'step' in each && [each.step, each.turn]),
      [
        ['forward', 1],
        ['sendAnyway', 2],
        ['sendAgain', 3],
      ],
    );
  });

  it('fits a view of 300 by 250 pixels: the input and its buttons are in it, whatever the conversation', async () => {
    await report({ type: 'chat', turns: [turnOf(1, LONG), turnOf(2, LONG)] });
    await page.getByLabel('Message', { exact: true }).fill('line\n'.repeat(30));
    for (const each of [
      page.getByLabel('Message', { exact: true }),
      page.getByRole('button', { name: 'Send', exact: true }),
    ]) {
      const box = await each.boundingBox();
      assert.ok(
        box && box.y >= 0 && box.y + box.height <= 250 && box.x + box.width <= 300,
        JSON.stringify(box),
      );
    }
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.equal(width, 300);
  });
});
