/** The action of a key in the waterfall. */
export type KeyAction =
  | { readonly kind: 'move'; readonly by: number }
  | { readonly kind: 'zoom'; readonly factor: number }
  | { readonly kind: 'pan'; readonly share: number }
  | { readonly kind: 'in' | 'out' | 'all' | 'unfoldAll' | 'parts' | 'open' | 'search' };

/** A key press, with the properties of a keyboard event. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** The factor of the visible range after one step of zooming out. */
export const ZOOM = 1.5;
const PAN = 0.2;

/** The action of a key press, for `page` visible rows; undefined for keys that the waterfall does not use. */
export function readKey(
  { key, shiftKey, ctrlKey, metaKey, altKey }: KeyPress,
  page: number,
): KeyAction | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  switch (key) {
    case 'ArrowUp':
      return { kind: 'move', by: -1 };
    case 'ArrowDown':
      return { kind: 'move', by: 1 };
    case 'PageUp':
      return { kind: 'move', by: -page };
    case 'PageDown':
      return { kind: 'move', by: page };
    case 'Home':
      return { kind: 'move', by: -Infinity };
    case 'End':
      return { kind: 'move', by: Infinity };
    case 'ArrowLeft':
      return shiftKey ? { kind: 'pan', share: -PAN } : { kind: 'out' };
    case 'ArrowRight':
      return shiftKey ? { kind: 'pan', share: PAN } : { kind: 'in' };
    case '+':
    case '=':
      return { kind: 'zoom', factor: 1 / ZOOM };
    case '-':
    case '_':
      return { kind: 'zoom', factor: ZOOM };
    case '0':
      return { kind: 'all' };
    case '*':
      return { kind: 'unfoldAll' };
    case 'p':
    case 'P':
      return { kind: 'parts' };
    case 'Enter':
      return { kind: 'open' };
    case '/':
      return { kind: 'search' };
    default:
      return undefined;
  }
}
