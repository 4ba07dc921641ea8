// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Precedence {
    uint x;
    uint y;
    uint z;
    int s;
    bool b;

    function all(bool a, uint i) external {
        x = y = z = i;
        x = a ? 1 : z = 2;
        b = a ? b = true : a ? false : true;
        x = 1 + i * 2 ** i ** 2 - 3;
        x = i << 1 + 1 | i & 3 ^ i >> 1;
        b = a || !a && i == 1 || i < 2 == (i > 3);
        s = -s ** 2;
        x = i-- - --i;
        x += y -= 1;
        (x, y) = (y, x);
        delete x;
        b = i + 1 >= 2 && i != 3 || a;
        x = ((i + 1) * (i - 1)) / 2 % 3;
        b = (a ? i : x) == 1;
    }
}
