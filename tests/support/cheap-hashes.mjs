/**
 * Loaded before a server (`--import`) whose passwords are not what a test is about: argon2id costs it next to nothing.
 * Its hashes say that they cost what those of people cost, so that the server does not make them anew.
 */
const CHEAP = { memoryCost: 8, timeCost: 1 };
const cheap = `m=${CHEAP.memoryCost},t=${CHEAP.timeCost},`;
const dear = /(?<=^\$argon2id\$v=19\$)m=\d+,t=\d+,/;
const open = process.dlopen;

process.dlopen = (module, file, ...rest) => {
  open.call(process, module, file, ...rest);
  if (!/argon2[^/]*\.node$/.test(file)) return;
  const { hash, verify } = module.exports;
  module.exports.hash = async (password, options, ...more) => {
    const made = await hash(password, { ...options, ...CHEAP }, ...more);
    return made.replace(cheap, `m=${options.memoryCost},t=${options.timeCost},`);
  };
  module.exports.verify = (made, ...more) => verify(made.replace(dear, cheap), ...more);
};
