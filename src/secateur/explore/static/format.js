// Numbers and colors as people read them.

const COLORS = 8;

const DASHES = [[], [7, 4], [2, 3], [10, 3, 2, 3], [4, 2], [12, 5], [1, 4], [6, 2, 1, 2]];

// The style has them, for light and for dark; what comes after the last of them is striped.
export function color(number) {
  const plain = `var(--c${number % COLORS})`;
  const round = Math.floor(number / COLORS);
  if (!round) return plain;
  return `repeating-linear-gradient(${45 * round}deg, ${plain} 0 3px, color-mix(in srgb, ${plain} 35%, var(--paper)) 3px 6px)`;
}

export function dash(number) {
  return DASHES[(number + Math.floor(number / COLORS)) % DASHES.length];
}

export function drawnColor(number) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--c${number % COLORS}`).trim();
}

// What is as small as this is left by rounding.
export const NOTHING = 1e-12;

const WHOLE = new Intl.NumberFormat("en-US");

export function whole(number) {
  return number === null || number === undefined ? "–" : WHOLE.format(Math.round(number));
}

export function percent(share) {
  if (share === null || share === undefined) return "–";
  const hundredths = 100 * share;
  if (hundredths > 0 && hundredths < 0.05) return "<0.1";
  if (hundredths < 100 * (1 - NOTHING) && hundredths > 99.95) return ">99.9";
  return hundredths.toFixed(1);
}

export function worth(number) {
  if (number === null || number === undefined) return "–";
  const shown = Math.abs(number) >= 100 ? number.toFixed(1) : number.toFixed(3);
  const text = shown.replace("-", "−");
  return /[1-9]/.test(shown) || Math.abs(number) < NOTHING ? text.replace(/^−(0\.?0*)$/, "$1") : small(number);
}

export function small(number) {
  if (number === null || number === undefined) return "–";
  if (number === 0) return "0";
  const size = Math.abs(number);
  if (size >= 0.001 && size < 1000) return String(Number(number.toPrecision(4))).replace("-", "−");
  const [digits, power] = number.toExponential(2).split("e");
  return `${Number(digits)}e${Number(power)}`.replaceAll("-", "−");
}

export function bytes(number) {
  if (number === null || number === undefined) return "–";
  let amount = number;
  for (const unit of ["bytes", "kB", "MB", "GB"]) {
    if (amount < 1000) return `${Number(amount.toPrecision(3))} ${unit}`;
    amount /= 1000;
  }
  return `${Number(amount.toPrecision(3))} TB`;
}

export function seconds(number) {
  if (number === null || number === undefined) return "–";
  if (number < 60) return `${Number(number.toPrecision(3))} s`;
  if (number < 3600) return `${Math.floor(number / 60)} min ${Math.round(number % 60)} s`;
  return `${Math.floor(number / 3600)} h ${Math.round((number % 3600) / 60)} min`;
}
