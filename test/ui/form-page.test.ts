import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import type { FormField, ToForm } from '../../wire/form-messages.ts';
import { useLonePage } from './support/lone-page.ts';

function field(name: string, more: Partial<FormField> = {}): FormField {
  const usual = { title: name, description: '', hint: '', isSecret: false, choices: [] } as const;
  return { name, kind: 'text', isRequired: true, ...usual, ...more };
}

/** The page of a form alone, with the extension's end of its messages in the test's hand. */
describe('form page', () => {
  const lone = useLonePage('form');
  let page: Page;
  beforeEach(async () => {
    page = lone.page;
    const fields = [
      field('city'),
      field('days', { kind: 'integer', isRequired: false }),
      field('tags', { kind: 'list', isRequired: false }),
    ];
    await report({ type: 'show', heading: 'weather', message: '', fields, inputs: {}, submit: 'Send' });
  });

  const report = (message: ToForm): Promise<void> =>
    page.evaluate(each => {
      window.postMessage(each, '*');
      return new Promise<void>(resolve =>
        requestAnimationFrame(() => requestAnimationFrame(() => resolve())),
      );
    }, message);

  /** The inputs of the last message of a type; undefined if there is none. */
  const lastInputs = (type: string): Promise<unknown> =>
    page.evaluate(
      wanted =>
        (globalThis as unknown as { sent: { type: string; inputs?: unknown }[] }).sent.findLast(
          each => each.type === wanted,
        )?.inputs,
      type,
    );

  it('leaves out a required text until it is typed, or said to be empty', async () => {
    await page.getByRole('button', { name: 'Send' }).click();
    assert.deepEqual(await lastInputs('submit'), {});
    await report({ type: 'checked', faults: { city: 'Fill this in.' } });
    assert.equal(await page.getByLabel('city', { exact: true }).getAttribute('aria-invalid'), 'true');
    await page.getByLabel('Send an empty text').check();
    assert.deepEqual(await lastInputs('changed'), { city: '' });
    await page.getByLabel('city', { exact: true }).fill('Rome');
    assert.deepEqual(await lastInputs('changed'), { city: 'Rome' });
    assert.equal(await page.getByLabel('Send an empty text').count(), 0);
    await page.getByLabel('city', { exact: true }).fill('');
    assert.deepEqual(await lastInputs('changed'), {});
  });

  it('sends by Enter from a field of one line, and breaks the line with Shift or in a list', async () => {
    const city = page.getByLabel('city', { exact: true });
    await city.fill('Rome');
    await city.press('Shift+Enter');
    assert.deepEqual([await city.inputValue(), await lastInputs('submit')], ['Rome\n', undefined]);
    await page.getByLabel('tags').press('Enter');
    assert.deepEqual(
      [await page.getByLabel('tags').inputValue(), await lastInputs('submit')],
      ['\n', undefined],
    );
    await city.fill('Rome');
    await city.press('Enter');
    assert.deepEqual(
      [await city.inputValue(), await lastInputs('submit')],
      ['Rome', { city: 'Rome', tags: '\n' }],
    );
    await page.getByLabel('days').fill('3');
    await page.getByLabel('days').press('Enter');
    assert.deepEqual(await lastInputs('submit'), { city: 'Rome', tags: '\n', days: '3' });
  });
});
