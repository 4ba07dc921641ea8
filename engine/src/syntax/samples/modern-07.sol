// SPDX-License-Identifier: MIT
pragma solidity 0.7.6;
pragma abicoder v2;

struct Point { int x; int y; }
enum Side { Left, Right }
uint constant SCALE = 1e18;

function scaled(Point memory point) pure returns (int) {
    return point.x * int(SCALE) / (point.y == 0 ? 1 : point.y);
}

library Points {
    function flip(Point memory self) internal pure returns (Point memory) {
        return Point({x: -self.x, y: -self.y});
    }
}

contract Canvas {
    using Points for Point;

    Point[] points;
    uint gwei_ = 1 gwei + 0.5 ether + .5e1 + 1_000 + 0xff_ff + 1e3;
    string constant GREETING = unicode"Grüße 😃";
    event Drawn(Point point, Side indexed side);

    constructor(Point[] memory start) payable {
        for (uint i; i < start.length; ++i) points.push(start[i].flip());
    }

    function draw(Point calldata point, Side side) external returns (int) {
        if (side == Side.Left) emit Drawn(point, side);
        else if (side == Side.Right) { emit Drawn({point: point, side: side}); }
        else revert("side");
        points.pop;
        return scaled(point);
    }

    function raw() external view returns (uint size) {
        assembly {
            size := sload(points.slot)
            let a, b := pair(size)
            size := add(a, b)
            function pair(x) -> left, right {
                if iszero(x) { leave }
                left := x
                right := shl(1, x)
            }
        }
    }
}
