import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { recoverSteps } from '../../../language/values/json-recovery.ts';
import { runAtOnce } from '../../../core/text/slices.ts';
import { FaultList } from '../../../language/values/fault-list.ts';
import { readJson, type JsonValue } from '../../../language/json/json-tree.ts';
import type { Value } from '../../../core/values/value.ts';

/** The value under 200 brackets, and how many values the tree has. */
function descend(root: JsonValue | undefined): {
  readonly values: number;
  readonly last: JsonValue | undefined;
} {
  let values = 0;
  let last = root;
  for (let value = root; value; value = value.members.at(-1)?.value) {
    values++;
    last = value;
  }
  return { values, last: last && { ...last } };
}

function innermost(value: Value | undefined): Value | undefined {
  let inner = value;
  while (inner?.kind === 'list') inner = inner.items.at(-1);
  return inner;
}

describe('JSON that nests deeper than 200 levels', () => {
  it('has one value in the tree for all that is deeper', () => {
    const { root, openTooDeep } = readJson('['.repeat(1_000));
    assert.deepEqual(descend(root), {
      values: 201,
      last: { kind: 'array', start: 200, end: 1_000, members: [], isClosed: false },
    });
    assert.equal(openTooDeep, 800);
  });

  it('goes on behind what is deeper', () => {
    const { root, fault, openTooDeep } = readJson(`${'['.repeat(300)}1,"]",{}${']'.repeat(300)}`);
    assert.deepEqual(descend(root), {
      values: 201,
      last: { kind: 'array', start: 200, end: 408, members: [], isClosed: true },
    });
    assert.deepEqual(
      { end: root?.end, isClosed: root?.isClosed, fault, openTooDeep },
      {
        end: 608,
        isClosed: true,
        fault: undefined,
        openTooDeep: 0,
      },
    );
  });

  it('keeps the text of what is deeper where it is broken, and says so', () => {
    const text = `${'['.repeat(1_000)}{"a":1`;
    const faults = new FaultList();
    const read = runAtOnce(recoverSteps(text, 0, { faults, places: undefined }));
    assert.deepEqual(innermost(read?.value), { kind: 'text', text: text.slice(200) });
    assert.equal(read?.end, text.length);
    assert.deepEqual([...faults].reverse(), [
      {
        kind: 'moved',
        span: { start: 200, end: text.length },
        message: 'Values are nested deeper than 200 levels here; what is deeper is read as a text of JSON',
      },
      {
        kind: 'dropped',
        span: { start: 0, end: text.length },
        message:
          'The text ends before 1001 closing brackets; what is there is read, and what is missing is not known',
      },
    ]);
  });
});
