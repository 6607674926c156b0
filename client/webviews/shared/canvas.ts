/** The pixels of the screen for a pixel of the page. */
export function pixelRatio(): number {
  return window.devicePixelRatio || 1;
}

/** A canvas of so many pixels of the screen, whatever the page's zoom is. True where that changed it, which clears it. */
export function resizeCanvas(canvas: HTMLCanvasElement, { width, height }: ImageSize): boolean {
  const ratio = pixelRatio();
  canvas.style.width = `${width / ratio}px`;
  canvas.style.height = `${height / ratio}px`;
  if (canvas.width === width && canvas.height === height) return false;
  canvas.width = width;
  canvas.height = height;
  return true;
}

/** An empty canvas of so many pixels of the page, drawn on in these; undefined where there is no room. */
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

/** In pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** The context of a canvas that gets its pixels from the page: it stays where the page can write and read it. */
export function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D | undefined {
  return canvas.getContext('2d', { willReadFrequently: true }) ?? undefined;
}

/** Black or white, whichever is read on a colour. */
export function inkOn(red: number, green: number, blue: number): string {
  return 0.299 * red + 0.587 * green + 0.114 * blue > 140 ? '#000' : '#fff';
}
