/** The values of context keys; a key that is absent is undefined, as in VS Code. */
export type Context = Readonly<Record<string, unknown>>;

/** True if a condition of package.json holds: `||` of `&&` of keys, comparisons, matches and memberships. */
export function holds(condition: string, context: Context): boolean {
  return condition
    .split(' || ')
    .some(all => all.split(' && ').every(term => holdsTerm(term.trim(), context)));
}

function holdsTerm(term: string, context: Context): boolean {
  const [key = '', operator, ...rest] = term.split(' ');
  const operand = rest.join(' ');
  switch (operator) {
    case undefined:
      if (key === 'false') return false;
      return key.startsWith('!') ? !context[key.slice(1)] : Boolean(context[key]);
    case '==':
      return String(context[key]) === operand;
    case '!=':
      return String(context[key]) !== operand;
    case '=~':
      return new RegExp(operand.slice(1, operand.lastIndexOf('/'))).test(String(context[key]));
    case 'in':
      return isIn(context[key], context[operand]);
    case 'not':
      return !isIn(context[key], context[rest.slice(1).join(' ')]);
    default:
      throw new Error(`unknown operator in '${term}'`);
  }
}

function isIn(value: unknown, list: unknown): boolean {
  return Array.isArray(list) && list.includes(value);
}

/** The context keys that a condition reads. */
export function keysOf(condition: string): readonly string[] {
  return condition.split(/ \|\| | && /).flatMap(term => {
    const [key = '', operator, ...rest] = term.trim().split(' ');
    if (operator === 'in') return [key, rest[0] ?? ''];
    return operator === 'not' ? [key, rest[1] ?? ''] : [key.replace(/^!/, '')];
  });
}
