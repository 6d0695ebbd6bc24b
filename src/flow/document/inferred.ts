/**
 * As part of a parameter's type: infers `Type` from the argument with all its literals, and demands nothing. The compiler
 * then checks the argument by the other parts alone, and names the key that is wrong.
 */
export type Inferred<Type> = [Type] extends [never] ? Type : object;
