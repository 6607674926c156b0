import type { Page } from 'playwright-core';

/** The size of a reply. */
export interface LongReply {
  readonly characters: number;
  readonly chunks: number;
}

/**
 * Makes a long text of Markdown in the page, and gives it to the page's script as the extension does. `globalThis.shown`
 * resolves with the milliseconds from the message to the frame in which it is drawn.
 */
export async function showLongReply(page: Page, { characters, chunks }: LongReply): Promise<void> {
  await page.evaluate(
    ({ length, pieces }) => {
      const paragraph =
        'Some **bold** text with `code`, a [link](https://example.com/a) and *emphasis* in a paragraph that goes on for a while.\n\n- one item\n- another item\n\n```ts\nconst answer = 42;\n```\n\n';
      const text = paragraph.repeat(Math.ceil(length / paragraph.length)).slice(0, length);
      const part = {
        id: '0',
        kind: 'message',
        title: '',
        status: 'ok',
        at: 0,
        until: 9,
        pieces,
        ticks: [],
        notes: [],
      };
      const facts = { facts: ['writer'], notes: [], view: 'read' };
      const send = (data: object): unknown => window.dispatchEvent(new MessageEvent('message', { data }));
      const play = async (): Promise<number> => {
        const begun = performance.now();
        send({ type: 'show', call: 'c', title: 'long', status: 'ok', outcome: 'ok', ...facts });
        send({ type: 'parts', call: 'c', parts: [{ ...part, text, children: [] }], notes: [], unread: '' });
        await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
        return performance.now() - begun;
      };
      Object.assign(globalThis, { shown: play() });
    },
    { length: characters, pieces: chunks },
  );
}
