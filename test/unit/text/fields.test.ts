import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { defined } from '../../../core/text/fields.ts';

describe('an object without undefined members', () => {
  it('has the others in their order, also those that are null, false, 0 or empty', () => {
    const made = defined({ code: undefined, text: '', count: 0, isOpen: false, parent: null });
    assert.deepEqual(made, { text: '', count: 0, isOpen: false, parent: null });
    assert.deepEqual(Object.keys(made), ['text', 'count', 'isOpen', 'parent']);
  });

  it('is a copy', () => {
    const given = { title: 'a', code: undefined };
    assert.notEqual(defined(given), given);
    assert.deepEqual(Object.keys(given), ['title', 'code']);
  });
});
