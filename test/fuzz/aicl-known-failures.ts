import type { ReadLimits } from '../../language/aicl/document.ts';
import type { FuzzEdit } from '../support/fuzz-edit.ts';

interface KnownFailure {
  readonly text: string;
  readonly changes: FuzzEdit[];
  readonly limits: ReadLimits;
}

/** Inputs on which an edited document once was another than a new one: they are tried first, always. */
export const KNOWN_FAILURES: readonly KnownFailure[] = [
  {
    text: '[s:\n# @agent x\n\n[d:[s:protocol]:[s:LightAICL],\n  [s:session_id]:[s:s1],\n  [s:msg_type]:[s:result],[s:data]:[i:1]\n]\n',
    changes: [{ at: 0, remove: 0, insert: '[' }],
    limits: { longUnit: 0, run: 1 },
  },
  {
    text: '[d:[s:protocol]:[s:LightAICL],\n  [s:session_id]:[s:s1],\n  [s:msg_type]:[s:result],[s:data]:[i:1]\n]\n',
    changes: [
      { at: 3341436, remove: 0, insert: '[' },
      {
        at: 499150722,
        remove: 0,
        insert:
          '[d:[s:protocol]:[s:LightAICL],\n  [s:session_id]:[s:s1],\n  [s:msg_type]:[s:result],[s:data]:[i:1]\n]\n',
      },
      { at: 0, remove: 0, insert: '[' },
    ],
    limits: { longUnit: 0, run: 1000 },
  },
  {
    text: '[s:\\\n[d:[s:protocol]:[s:LightAICL],\n  [s:session_id]:[s:s1],\n  [s:msg_type]:[s:result],[s:data]:[i:1]\n]\n',
    changes: [{ at: 0, remove: 0, insert: '[' }],
    limits: { longUnit: 20, run: 30 },
  },
  {
    text: '[d:[s:protocol]:[s:LightAICL],\n  [s:session_id]:[s:s1],\n  [s:msg_type]:[s:result],[s:data]:[i:1]\n]\n\n[d:[s:protocol]:[s:LightAICL],\n  [s:session_id]:[s:s1],\n  [s:msg_type]:[s:result],[s:data]:[i:1]\n]\n\n[d:[s:protocol]:[s:LightAICL],\n  [s:session_id]:[s:s1],\n  [s:msg_type]:[s:result],[s:data]:[i:1]\n]\n\n[d:[s:protocol]:[s:LightAICL],\n  [s:session_id]:[s:s1],\n  [s:msg_type]:[s:result],[s:data]:[i:1]\n]\n\n[d:[s:protocol]:[s:LightAICL],\n  [s:session_id]:[s:s1],\n  [s:msg_type]:[s:result],[s:data]:[i:1]\n]\n',
    changes: [
      { at: 0, remove: 0, insert: '[' },
      { at: 591381402, remove: 33, insert: '[' },
      { at: 0, remove: 30, insert: '[' },
      { at: 0, remove: 56, insert: '[' },
      { at: 0, remove: 0, insert: '[s:' },
      { at: 0, remove: 0, insert: '[' },
      { at: 1429570132, remove: 2, insert: '[d:' },
      { at: 0, remove: 0, insert: '[s:' },
      { at: 0, remove: 12, insert: '[' },
      { at: 45163320, remove: 7, insert: 'a' },
    ],
    limits: { longUnit: 20, run: 30 },
  },
  {
    text: '[l:[d:\n]\n,[d:\n],\n[s:，]\n, ]',
    changes: [
      { at: 739820874, remove: 1, insert: '，' },
      { at: 0, remove: 0, insert: '[' },
    ],
    limits: { longUnit: 20, run: 30 },
  },
  {
    text: ',[l:[l:[l:[s:\n[d:\\\\],[b:false]]],[f:0]]',
    changes: [
      { at: 24, remove: 5, insert: '[' },
      { at: 0, remove: 0, insert: '[' },
    ],
    limits: { longUnit: 20, run: 30 },
  },
  {
    text: '# @agent x\n\n[l:[d:[s:\ufeff# x\n[d:]\n:\r\n  [b:false]\r\n  ,\n[s:，]\t:\r\n  [d:\n[s:   ]\t:[t:uint8:2:000]\r\n  ,\n], [s:    ]\t:[i:-1000000000000000000]],\r\n  [l:] ,[t:uint8:1:00]\r\n  ,]',
    changes: [
      { at: 0, remove: 0, insert: '[' },
      { at: 226579490, remove: 39, insert: '：' },
      { at: 0, remove: 0, insert: '[' },
    ],
    limits: { longUnit: 20, run: 30 },
  },
  {
    text: '       \n[d:[s:protocol]:[s:LightAICL],\n  [s:session_id]:[s:s1],\n  [s:msg_type]:[s:result],[s:data]:[i:1]\n]\n\n[l:\r\n  [d:[s:[d::]:[b:true],\r\n  [s:\n[d:]\r\n  :\r\n  [t:uint8:4:00000]\t,\n[s:]:[f:-1.0],[s:,]:\n[t:uint8:10:0000000000000]\n, ]\n,\r\n  [s:   ], [b:false]\r\n  ,]\n# @agent x\n\n# @agent x\n\n[d:[s:protocol]:[s:LightAICL],\n  [s:session_id]:[s:s1],\n  [s:msg_type]:[s:result],[s:data]:[i:1]\n]\n\n[d:[s:protocol]:[s:LightAICL],\n  [s:session_id]:[s:s1],\n  [s:msg_type]:[s:result],[s:data]:[i:1]\n]\n',
    changes: [
      { at: 189956983, remove: 3, insert: '\t' },
      { at: 34065270, remove: 19, insert: '[' },
      { at: 1739944324, remove: 2, insert: 'a' },
      { at: 0, remove: 2, insert: '[d:\n' },
      { at: 31714377, remove: 0, insert: '[' },
      { at: 61641673, remove: 3, insert: '\r' },
      { at: 0, remove: 0, insert: '[' },
    ],
    limits: { longUnit: 0, run: 1 },
  },
  {
    text: '[l:[d:[s:]:[t:uint8:0:]]]',
    changes: [
      { at: 0, remove: 2, insert: '[' },
      { at: 0, remove: 0, insert: '[' },
    ],
    limits: { longUnit: 0, run: 1 },
  },
];
