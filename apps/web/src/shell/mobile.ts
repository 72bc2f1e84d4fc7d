const widestMobile = 600;

/**
 * The user agent says that it is mobile, or the window is as narrow as a phone.
 * @internal exported for tests
 */
export const isMobile = (userAgent: string, width: number): boolean =>
  /Mobi|Android|iPhone|iPad|iPod|HarmonyOS/i.test(userAgent) || width <= widestMobile;

/** Keeps `<html data-mobile>` up to date with the window. The stylesheets then enlarge the touch targets. */
export const watchMobile = (): void => {
  const narrow = matchMedia(`(max-width: ${widestMobile}px)`);
  const show = () =>
    document.documentElement.toggleAttribute('data-mobile', isMobile(navigator.userAgent, innerWidth));
  show();
  narrow.addEventListener('change', show);
};
