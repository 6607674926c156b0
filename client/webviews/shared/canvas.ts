/** The number of screen pixels per page pixel. */
export function pixelRatio(): number {
  return window.devicePixelRatio || 1;
}

/**
 * Sets the size of a canvas in screen pixels, whatever the zoom of the page is. Returns true if the size
 * changed, which clears the canvas.
 */
export function resizeCanvas(canvas: HTMLCanvasElement, { width, height }: ImageSize): boolean {
  const ratio = pixelRatio();
  canvas.style.width = `${width / ratio}px`;
  canvas.style.height = `${height / ratio}px`;
  if (canvas.width === width && canvas.height === height) return false;
  canvas.width = width;
  canvas.height = height;
  return true;
}

/**
 * Clears a canvas, sized in page pixels, and returns a context that draws in page pixels; undefined if the
 * width is 0.
 */
export function openDrawing(
  canvas: HTMLCanvasElement,
  { width, height }: ImageSize,
): CanvasRenderingContext2D | undefined {
  const ratio = pixelRatio();
  const isClear = resizeCanvas(canvas, {
    width: Math.round(width * ratio),
    height: Math.round(height * ratio),
  });
  const context = canvas.getContext('2d');
  if (!context || width <= 0) return undefined;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  if (!isClear) context.clearRect(0, 0, width, height);
  return context;
}

/** A size in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** The context of a canvas that the page writes and reads often, so it is not moved to the graphics card. */
export function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D | undefined {
  return canvas.getContext('2d', { willReadFrequently: true }) ?? undefined;
}

/** Black or white, whichever is readable on a colour. */
export function inkOn(red: number, green: number, blue: number): string {
  return 0.299 * red + 0.587 * green + 0.114 * blue > 140 ? '#000' : '#fff';
}
