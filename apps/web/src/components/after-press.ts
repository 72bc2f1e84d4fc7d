let pressed = false;
let waiting: (() => void)[] = [];

const release = () => {
  pressed = false;
  const due = waiting;
  waiting = [];
  // The click comes after the pointer is up.
  setTimeout(() => {
    for (const action of due) action();
  });
};

document.addEventListener(
  'pointerdown',
  () => {
    pressed = true;
  },
  true,
);
document.addEventListener('pointerup', release, true);
document.addEventListener('pointercancel', release, true);

/**
 * Runs at once, or when the press under way has ended: leaving a field may take its error away, and the
 * button that was pressed must not move from under the finger.
 */
export const afterPress = (action: () => void): void => {
  if (pressed) waiting.push(action);
  else action();
};
