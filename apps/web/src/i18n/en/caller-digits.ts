/** The digits that a caller reads to whoever answers the phone. */
export const callerDigits = {
  title: 'Two digits for your call',
  text: 'If you are calling us right now, read these digits to the person who answers:',
  warning: 'If nobody of us is on the phone with you, or if somebody called you, tell them to nobody.',
  until: 'Until {{when}}',
};
