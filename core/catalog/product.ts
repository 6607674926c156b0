/** What the server and the command line say of themselves. A test holds the version to package.json's. */
export const PRODUCT = {
  name: 'parley',
  title: 'Parley',
  version: '0.1.0',
  /** Where people read more. */
  url: 'https://github.com/parley/parley',
  /** The page of all rules, each under an anchor of its own. */
  rulesUrl: 'https://github.com/parley/parley/blob/HEAD/docs/reference/rules.md',
} as const;
