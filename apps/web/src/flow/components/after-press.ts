let pressed = false;
let waiting: (() => void)[] = [];

const release = () => {
  pressed = false;
  const due = waiting;
  waiting = [];
  // The click event follows the pointerup event.
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
 * Runs an action at once, or after the current press. Leaving a field may remove its error, and the pressed button
 * must not move before its click.
 */
export const afterPress = (action: () => void): void => {
  if (pressed) waiting.push(action);
  else action();
};
