import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { UnitReader } from '../../../language/aicl/unit-reader.ts';
import { sized } from '../../support/size.ts';

/** A unit that is mended at its first fault, and would go on to the end of what is there without that. */
const TORN =
  '[l:[l:[i:-1]\t:[i:[d:[s:a]:[s]b],\n  [s:c]:[s:d]\n：1]\t,\n[s:\\\\\\]]\n:\r\n  [t:uint8:4:00000]\r\n  \n],\r\n  [l: ]\t,\t[b:false]\r\n  ,\t]\t,[l:\t[l:[f:-1.3284:69e+61], [i:-20[d:[s:e]:[s:f]\n]\n691409]\n\n] ,\t[l:[d: [s:\\\\\\]# x] : [f:1.86# c\n9e-233] ,\r\n  [s:%g]\r\n  :\t[b:false],\t[s:\n# x\\][s:]:\r\n  [b:false],]\n\t],\r\n  [s:\n[d:]\t,\n],\t[s::h\\\\]\r\n  ,\t]\n[d:[s:i]:[i:1]\n]\n';

describe('how far the reading of a unit looks', () => {
  it('is reported after the end of a text that may continue', () => {
    const read = (text: string): { end: number; readTo: number } => {
      const reading = new UnitReader(text, 0, { count: 0 }, { longUnit: Infinity }).read(0);
      assert.ok(reading);
      return { end: reading.end, readTo: reading.readTo };
    };
    const whole = read(TORN);
    for (let length = 1; length < TORN.length; length += sized(1, 7)) {
      const part = read(TORN.slice(0, length));
      if (part.readTo <= length) assert.deepEqual({ length, ...part }, { length, ...whole });
    }
  });
});
