import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { useLonePage } from './support/lone-page.ts';
import { expectSoon } from './support/wait.ts';

describe('keys in the inspector that come faster than frames', () => {
  const lone = useLonePage('tensor');

  beforeEach(async () => {
    await lone.page.evaluate(() => {
      const tensor = { dtype: 'uint8', shape: [64], bytes: Uint8Array.from({ length: 64 }, (_, at) => at) };
      const subject = { id: 'keys', name: 'keys', place: 'a test', canEdit: true };
      window.dispatchEvent(new MessageEvent('message', { data: { type: 'show', subject, tensor } }));
    });
    await lone.page.getByRole('gridcell').first().waitFor();
  });

  /** Presses keys on what has the focus, all before the next frame, and types a value in the editor if they open it. */
  const press = (keys: readonly string[], value?: string): Promise<unknown> =>
    lone.page.evaluate(
      ([pressed, typed]) => {
        const type = (key: string): boolean | undefined =>
          document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        for (const key of pressed) type(key);
        const editor = document.activeElement;
        if (typed !== undefined && editor instanceof HTMLInputElement) {
          editor.value = typed;
          type('Enter');
        }
        return Reflect.get(globalThis, 'sent') as unknown;
      },
      [keys, value] as const,
    );

  it('change the cell that they lead to', async () => {
    await lone.page.getByRole('grid').focus();
    const sent = await press(['ArrowDown', 'ArrowDown', 'ArrowDown', 'F2'], '99');
    assert.deepEqual(sent, [{ type: 'ready' }, { type: 'setValue', index: 3, value: '99' }]);
  });

  it('move as far among the bytes', async () => {
    await lone.page.getByRole('tab', { name: 'Bytes' }).click();
    await lone.page.locator('.bytes-view [tabindex="0"]').focus();
    await press(['ArrowDown', 'ArrowRight', 'ArrowRight']);
    await expectSoon(() => lone.page.locator('.value-line .value').inputValue(), '18');
  });
});
