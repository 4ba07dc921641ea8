// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Lamp {
    address public keeper;
    uint256 public level;

    function start() external {
        require(keeper == address(0), "started");
        keeper = msg.sender;
        level = 5;
    }

    function migrate(address code, bytes calldata message) external {
        require(msg.sender == keeper, "keeper");
        require(message.length > 0, "empty");
        (bool ok, ) = code.delegatecall(message);
        require(ok, "migration");
    }
}

contract Socket {
    bytes32 private constant PLACE = keccak256("socket.lamp");

    constructor(address lamp) {
        bytes32 place = PLACE;
        assembly {
            sstore(place, lamp)
        }
        (bool ok, ) = lamp.delegatecall(abi.encodeWithSignature("start()"));
        require(ok && lamp.code.length > 0, "lamp");
    }

    fallback() external payable {
        bytes32 place = PLACE;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(place), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}
