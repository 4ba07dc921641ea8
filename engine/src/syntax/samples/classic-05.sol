pragma solidity ^0.5.0;
pragma experimental ABIEncoderV2;

contract Base {
    uint internal total;
    address payable treasury;

    constructor(uint start, address payable to) public {
        total = start;
        treasury = to;
    }

    function() external payable {
        total += msg.value;
    }

    function hook(uint) internal returns (uint);
}

contract Token is Base(1, address(0)) {
    struct Order {
        address payable maker;
        uint128 amount;
        bytes data;
        mapping(uint => bool) filled;
    }

    mapping(address => Order[]) private orders;
    Order[] internal queue;
    uint8[2][3] public table = [[1, 2], [3, 4], [5, 6]];
    function(uint, bytes memory) external returns (bool)[] callbacks;

    constructor() public {}

    function hook(uint x) internal returns (uint) {
        return x;
    }

    function place(uint128 amount, bytes calldata data) external payable returns (uint index) {
        Order storage order = orders[msg.sender][0];
        order.maker = msg.sender;
        (bool ok, bytes memory back) = order.maker.call.value(1 ether).gas(5000)("");
        (, uint a, ) = three();
        require(ok && back.length > 0 || a == 1, "no");
        bytes memory packed = abi.encodePacked(amount, data, uint8(1));
        (uint x, address y) = abi.decode(packed, (uint, address));
        (uint[] memory xs, Order[] storage os) = lists();
        xs[0] = x; os.length; y;
        address payable wallet = address(uint160(y));
        wallet.transfer(1);
        index = queue.length++;
        assembly {
            let p := add(packed, 0x20)
            mstore(p, "text")
            for {} 1 {} { break }
        }
    }

    function three() public pure returns (uint, uint, bool) {
        return (1, 2, true);
    }

    function lists() internal view returns (uint[] memory, Order[] storage) {
        uint[] memory none;
        return (none, queue);
    }
}
