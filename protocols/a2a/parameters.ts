import { boolValue, textValue, type Value } from '../../core/values/value.ts';
import { dictOf } from '../message/dicts.ts';
import {
  BOOLEAN,
  integerWithin,
  TEXT,
  type Parameter,
  type ParameterType,
} from '../conversation/parameters.ts';
import type { A2aVersion } from './parts.ts';

const MODES: ParameterType = {
  words: 'a list of media types',
  fits: value => value.kind === 'list' && value.items.every(TEXT.fits),
  schema: dictOf({ type: textValue('array') }),
};

const BOTH: readonly Parameter[] = [
  { name: 'acceptedOutputModes', constraint: 'acceptedOutputModes', type: MODES },
  { name: 'historyLength', constraint: 'historyLength', type: integerWithin(0, 2 ** 31 - 1) },
];

function not(value: Value): Value {
  return value.kind === 'bool' ? boolValue(!value.bool) : value;
}

/** The members of `configuration` in a request to send a message, by version; 1.0 turned `blocking` round. */
export const A2A_PARAMETERS: Readonly<Record<A2aVersion, readonly Parameter[]>> = {
  '0.3': [...BOTH, { name: 'blocking', constraint: 'blocking', type: BOOLEAN }],
  '1.0': [
    ...BOTH,
    {
      name: 'returnImmediately',
      constraint: 'blocking',
      type: BOOLEAN,
      form: { toConstraint: not, fromConstraint: not },
    },
  ],
};
