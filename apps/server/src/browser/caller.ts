/** Where a request comes from. */
export interface Caller {
  /** The value of the pre-session cookie, by which browsers are told apart. */
  browserId: string;
  /** The IP address. */
  address: string;
}
