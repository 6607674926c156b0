/** An expression of a URI template: `{id}`, `{?q,lang}`. */
const EXPRESSION = /\{([+#./;?&]?)([^{}]*)\}/g;

/** How the values of an expression are written, by its operator (RFC 6570, section 3.2). */
interface Style {
  readonly first: string;
  readonly separator: string;
  /** True where each value follows its name. */
  readonly isNamed?: true;
  /** True where reserved characters, such as `/`, stay. */
  readonly isReserved?: true;
}

const PLAIN: Style = { first: '', separator: ',' };
const STYLES: Readonly<Record<string, Style>> = {
  '+': { first: '', separator: ',', isReserved: true },
  '#': { first: '#', separator: ',', isReserved: true },
  '.': { first: '.', separator: '.' },
  '/': { first: '/', separator: '/' },
  ';': { first: ';', separator: ';', isNamed: true },
  '?': { first: '?', separator: '&', isNamed: true },
  '&': { first: '&', separator: '&', isNamed: true },
};

/** The names of the variables of a URI template, each once. */
export function listTemplateVariables(template: string): readonly string[] {
  const names = [...template.matchAll(EXPRESSION)].flatMap(([, , list = '']) => namesIn(list));
  return [...new Set(names)];
}

/** The URI for the values of the variables. A variable without a value is left out. */
export function expandTemplate(template: string, values: ReadonlyMap<string, string>): string {
  return template.replace(EXPRESSION, (_all, operator: string, list: string) => {
    const { first, separator, isNamed, isReserved } = STYLES[operator] ?? PLAIN;
    const written = namesIn(list).flatMap(name => {
      const value = values.get(name);
      if (value === undefined || value === '') return [];
      const text = isReserved ? encodeURI(wellFormed(value)) : encodeValue(value);
      return [isNamed ? `${name}=${text}` : text];
    });
    return written.length === 0 ? '' : first + written.join(separator);
  });
}

/** The names of an expression, without their modifiers: `{path*}`, `{name:3}`. */
function namesIn(list: string): readonly string[] {
  return list
    .split(',')
    .map(name => name.replace(/(?:\*|:\d+)$/, '').trim())
    .filter(name => name !== '');
}

function encodeValue(value: string): string {
  return encodeURIComponent(wellFormed(value)).replace(
    /[!'()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function wellFormed(value: string): string {
  return value.replace(/\p{Surrogate}/gu, '\ufffd');
}
