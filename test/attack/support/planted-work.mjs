// A program that looks at each character of a text once (`linear`), or once for each other character (`quadratic`).
const [, , way, length] = process.argv;
const text = 'x'.repeat(Number(length));

function countSame(at, end) {
  let same = 0;
  for (let other = 0; other < end; other++) if (text[other] === text[at]) same++;
  return same;
}

let same = 0;
for (let at = 0; at < text.length; at++) same += countSame(at, way === 'quadratic' ? text.length : 1);
console.log(same);
