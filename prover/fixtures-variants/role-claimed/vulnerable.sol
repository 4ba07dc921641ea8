// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Gate {
    address public owner;

    function constructGate() public {
        owner = msg.sender;
    }
}

contract Sale {
    address public admin;
    uint256 public price = 1 ether;

    function claimAdmin() external {
        require(admin == address(0), "taken");
        admin = msg.sender;
    }

    function setPrice(uint256 next) external {
        require(msg.sender == admin);
        price = next;
    }
}

contract Fund {
    address private keeper;

    function owner() external view returns (address) {
        return keeper;
    }

    function take(address next) external {
        keeper = next;
    }
}

contract Council {
    address public governor;
    uint256 public round;

    function elect(address who) external {
        require(who == msg.sender, "only yourself");
        round++;
        governor = who;
    }
}

contract Store {
    address public getOwner;

    function open() external {
        if (getOwner == address(0)) getOwner = msg.sender;
    }
}
