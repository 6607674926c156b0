/** A command line for each way in which the command line reads the file `name`; `call.aicf` is a file of requests. */
export function listReadingCommands(name: string): readonly (readonly string[])[] {
  return [
    ['check', name],
    ['convert', name, '--to', 'json'],
    ['tokens', name],
    ['tensor', name],
    ['send', name],
    ['trace', 'show', name],
    ['trace', 'export', name, '--to', 'csv'],
    ['trace', 'diff', name, 'call.aicf'],
    ['trace', 'replay', name],
    ['convert', 'call.aicf', '--to', 'json', '--tools', name],
    [
      'record',
      '--listen',
      '0',
      '--to',
      'http://127.0.0.1:1',
      '--guard',
      '--out',
      'x.jsonl',
      '--tls-ca',
      name,
    ],
  ];
}
