export const brands = {
  /** The first nickname of an account; four characters of its id follow. */
  nickname: 'Lamplighter',
  taglines: {
    aurelia: 'One account for every light at home.',
    borealis: 'Your lights, wherever you are.',
  },
};
