import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { hasMember, insertMember } from '../../../agents/converting/insert-member.ts';
import { runs } from '../../support/size.ts';

describe('members inserted in JSON text', () => {
  it('are the first ones of their object, and the rest is unchanged', () => {
    assert.deepEqual(
      [
        insertMember('{}', ['a'], '1'),
        insertMember(' {"b":{"c":[{"d":1}],"e":{"f":1.0}}}', ['b', 'e', 'a'], '"x"'),
        insertMember('{"a":1}', ['a'], '2'),
        insertMember('{"a":1}', ['a', 'b'], '2'),
        insertMember('{"x":{"a":1},"y":{}}', ['a', 'b'], '2'),
        insertMember('[]', ['a'], '2'),
      ],
      ['{"a":1}', ' {"b":{"c":[{"d":1}],"e":{"a":"x","f":1.0}}}', undefined, undefined, undefined, undefined],
    );
    assert.deepEqual(
      [hasMember('{"a":{"b":1}}', ['a', 'b']), hasMember('{"a":{"c":"b"}}', ['a', 'b'])],
      [true, false],
    );
  });

  it('give the object that a JSON parser reads, with the member', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (object, key) => {
        const text = JSON.stringify(object);
        const inserted = insertMember(text, [key], '1');
        if (Object.hasOwn(object, key)) assert.equal(inserted, undefined);
        else
          assert.deepEqual(
            Object.entries(JSON.parse(inserted ?? '') as object).length,
            Object.keys(object).length + 1,
          );
        assert.equal(hasMember(text, [key]), Object.hasOwn(object, key));
      }),
      { numRuns: runs(1_000) },
    );
  });
});
