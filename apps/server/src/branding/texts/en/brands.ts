export const brands = {
  /** The first nickname of an account; four characters of its id follow. */
  nickname: 'Lamplighter',
  taglines: {
    aurelia: 'One account for every light at home.',
    borealis: 'Your lights, wherever you are.',
  },
  /** What the brand's own app may do with a scope of the server's own API, as people read it on the consent page. */
  scopes: {
    approvals: 'link other apps to your account, whenever you agree to it in this app',
  },
};
