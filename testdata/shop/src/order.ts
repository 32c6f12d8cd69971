import { Cart } from "./cart";

export interface Order {
  cart: Cart;
  total: number;
}

/** Places an order; large carts are cheaper by a tenth. */
export function place(cart: Cart): Order {
  const discount = cart.isLarge() ? 0.9 : 1;
  return { cart, total: cart.total() * discount };
}
