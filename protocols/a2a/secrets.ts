import { readJsonPieces, readWrittenJson } from '../../language/values/json-reader.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import { SHORTEST_TOKEN } from '../../core/secrets/redact.ts';
import { LONGEST_READ } from '../recognise/request.ts';

/** Members that settings for push notifications may stand in, of a request or a reply. */
const HOLDERS = [
  'params',
  'result',
  'configuration',
  'pushNotification',
  'pushNotificationConfig',
  'taskPushNotificationConfig',
  'configs',
];

/** No version puts them deeper. */
const DEEPEST = 6;

/** Only a text with these holds such credentials; it is read once more for them. */
const SIGNS = /"(?:token|credentials)"/;

/**
 * The credentials by which an agent of A2A shows that a push notification is its own: the token, and those for the address that it
 * tells (A2A, PushNotificationConfig and AuthenticationInfo). `text` is a message of A2A; of one that was cut, what can be read
 * of it. Linear.
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
