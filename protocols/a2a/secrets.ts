import { readJsonPieces, readWrittenJson } from '../../language/values/json-reader.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import { SHORTEST_TOKEN } from '../../core/secrets/redact.ts';
import { LONGEST_READ } from '../recognise/request.ts';

/** Members of a request or reply that may hold settings for push notifications. */
const HOLDERS = [
  'params',
  'result',
  'configuration',
  'pushNotification',
  'pushNotificationConfig',
  'taskPushNotificationConfig',
  'configs',
];

/** The maximum depth at which any version has these settings. */
const DEEPEST = 6;

/** Only a text that matches can hold such credentials; others are not parsed. */
const SIGNS = /"(?:token|credentials)"/;

/**
 * The credentials in the settings for push notifications: the token, and those in `authentication` (A2A,
 * PushNotificationConfig and AuthenticationInfo). `text` is a message of A2A; one that was cut is read as far
 * as possible. Linear.
 */
export function findPushSecrets(text: string): readonly string[] {
  if (!SIGNS.test(text)) return [];
  const read = text.slice(0, LONGEST_READ);
  const whole = readWrittenJson(read);
  const values = whole ? [whole] : readJsonPieces(read).pieces.map(({ value }) => value);
  return values.flatMap(value => listSecrets(value, DEEPEST));
}

function listSecrets(value: Value | undefined, depth: number): readonly string[] {
  if (!value || depth === 0) return [];
  if (value.kind === 'list') return value.items.flatMap(item => listSecrets(item, depth - 1));
  const isConfig = textIn(findEntry(value, 'url')) !== undefined;
  const own = isConfig
    ? [findEntry(value, 'token'), findEntry(findEntry(value, 'authentication'), 'credentials')]
    : [];
  return [
    ...own.flatMap(each => textIn(each) ?? []).filter(secret => secret.length >= SHORTEST_TOKEN),
    ...HOLDERS.flatMap(key => listSecrets(findEntry(value, key), depth - 1)),
  ];
}
